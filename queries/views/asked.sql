-- title: The works that statements answer for: empty until somebody asks
create or replace temp table asked (resource_id varchar);
