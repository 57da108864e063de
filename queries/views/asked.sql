-- title: The works that statements answer for: empty until somebody asks
select null::varchar as resource_id where false
