-- phase: expand
-- oldest-release: 1.0
-- locks: due_directory access exclusive

-- Each kind of work is claimed for itself, oldest first. With the kind in front a
-- backlog of one kind costs the others nothing, and a claim reads only what it takes.
create index due_by_kind on due_directory (kind, due_at);
drop index due_by_time;
