-- title: A value of status feedback as text, whatever its type is
create macro fed_back(item) as coalesce(
    json_extract_string(item, '$.fieldValue.string'),
    json_extract_string(item, '$.fieldValue.integer'),
    json_extract_string(item, '$.fieldValue.boolean'),
    json_extract_string(item, '$.fieldValue.jsonRaw')
);
