-- title: What a text has in common with others of its kind: objects, names in quotes, ids, versions, times and counts are left out
-- The consumer stays where it is named: what holds up one says nothing of another.
create or replace temp macro alike(words, consumer) as concat_ws(
    ' ',
    regexp_replace(
        words,
        '[A-Z][A-Za-z]+ [^ ":/]+/[^ ":]+|[A-Z][A-Za-z]+ [^ ":]+(: Failed to| carries )|"[^"]*"|[0-9a-f]{8}-[0-9a-f-]{27}'
        || '|[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?|version [0-9]+|once|twice|[0-9]+ times',
        '…',
        'g'
    ),
    case when contains(regexp_replace(words, '"[^"]*"', '', 'g'), consumer) then consumer end
);
