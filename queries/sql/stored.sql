-- title: Stored documents: the spec and the status that each row about a work has
-- tables: resources, status_events
-- What is not JSON is left out. The row goes with the work; the status event of its delete has a copy of both.
create view stored as
select
    id as resource_id,
    work_name,
    case when json_valid(payload) then payload end as spec,
    case when json_valid(status) then status end as said,
    'resources:' || row_no as evidence
from resources
union all
select
    resource_id,
    work_name,
    case when json_valid(payload) then payload end,
    case when json_valid(status) then status end,
    'status_events:' || row_no
from status_events;
