-- title: The bundle itself: one row
create temp table bundle (
    taken_at timestamp,
    redacted boolean
);
