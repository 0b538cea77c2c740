-- phase: expand
-- oldest-release: 1.0
-- locks: access_tokens access exclusive

-- What a personal access token may be used for. Those that exist keep full access until they expire.
alter table access_tokens
  add column scopes text[] not null default '{read,write}'
    check (scopes <@ '{read,write}' and cardinality(scopes) between 1 and 2);
