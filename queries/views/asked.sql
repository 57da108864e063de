-- title: The works that statements answer for: empty until somebody asks
-- shape: resource_id varchar
select null::varchar as resource_id where false
