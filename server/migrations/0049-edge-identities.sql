-- phase: expand
-- oldest-release: 1.0
-- locks: edge_directory access exclusive

-- The token of an edge enrols one key pair, within minutes, and is of no use afterwards: the edge signs its requests, and
-- private keys are encrypted to it. An edge that an earlier release has added has none of this: its token identifies it
-- until it enrols.
alter table edge_directory
  -- Until when the token can be used; null for an edge of an earlier release.
  add column enrolment_ends_at timestamptz,
  add column enrolled_at timestamptz,
  -- Public keys, 32 bytes in base64url: Ed25519 and X25519.
  add column sign_key text check (sign_key ~ '^[A-Za-z0-9_-]{43}$'),
  add column seal_key text check (seal_key ~ '^[A-Za-z0-9_-]{43}$'),
  -- The last time that the token was presented after it was used or had expired.
  add column token_misused_at timestamptz,
  -- The last time that the edge had received as many private keys as it may.
  add column export_stopped_at timestamptz,
  add constraint edge_directory_enrolled
    check ((enrolled_at is null) = (sign_key is null) and (sign_key is null) = (seal_key is null));
