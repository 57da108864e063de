-- title: Lets a table fail whose rows a policy keeps from us, so that a part does not look like the whole
select set_config('row_security', 'off', true)
