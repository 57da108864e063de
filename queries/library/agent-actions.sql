-- title: What agents say they did to objects
-- answers: which objects were created, updated, applied or removed, and which were not
-- parameter name =: Name of the object; all without it
-- instead of: kubesystem | where log contains "Event(v1.ObjectReference"
-- instead of: grep -E "Created|Updated|Server Side Applied|is removed Successfully|ResourceDeleted" agent.log
-- tables: log_lines
select
    logged_at, pod, level, reason, object_resource, object_namespace, object_name, text, 'log_lines:' || row_no as evidence
from log_lines
where component = 'agent'
  and ($name = '' or object_name = $name)
  and (
      regexp_matches(text, 'Event\(v1\.ObjectReference|Server Side Applied|is removed Successfully|ResourceDeleted', 'i')
      or regexp_matches(text, '(Created|Updated) .*because|Patching resource|Deleted resource')
  )
order by logged_at nulls last, log_lines.row_no;
