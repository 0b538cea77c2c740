-- phase: expand
-- oldest-release: 1.0
-- locks: api_keys access exclusive

-- The account that created the key, so that its keys can be decided on when it leaves. Null: the operator.
alter table api_keys add column created_by text check (created_by ~ '^acc_[0-9a-f]{24}$');
