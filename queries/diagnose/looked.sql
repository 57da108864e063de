-- title: What the last rule looked at
create or replace temp table looked (
    answer varchar,
    severity varchar,
    work varchar,
    consumer varchar,
    place varchar,
    "at" timestamp,
    text varchar,
    shares varchar,
    evidence varchar,
    cause varchar
);
