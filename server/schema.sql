-- The schema after all migrations. Printed by "npm run schema"; reviewed like code, compared in CI.

create sequence audit_ids maxvalue 9007199254740991;
grant usage on sequence audit_ids to petstore_app;

create sequence category_ids maxvalue 9007199254740991;
grant usage on sequence category_ids to petstore_app;

create sequence order_ids maxvalue 9007199254740991;
grant usage on sequence order_ids to petstore_app;

create sequence pet_ids maxvalue 9007199254740991;
grant usage on sequence pet_ids to petstore_app;

create sequence project_ids maxvalue 9007199254740991;
grant usage on sequence project_ids to petstore_app;

create or replace function public.allowed_projects()
 returns bigint[]
 language sql
 stable parallel safe
return (nullif(current_setting('petstore.projects'::text, true), ''::text))::bigint[];
grant execute on function allowed_projects() to petstore_app;

create or replace function public.note_revocation()
 returns trigger
 language plpgsql
 set search_path to 'public', 'pg_temp'
as $function$
  begin
    insert into revocation_directory (digest) values (old.digest);
    perform pg_notify('petstore_revocations', encode(old.digest, 'hex'));
    return null;
  end
  $function$;
grant execute on function note_revocation() to public;

create or replace function public.sweep_idempotency(at_most integer)
 returns integer
 language sql
 security definer
 set search_path to 'public', 'pg_temp'
begin atomic
 with expired as (
          select idempotency.project_id,
             idempotency.key
            from idempotency
           where (idempotency.created_at < (now() - '24:00:00'::interval))
           order by idempotency.created_at
          limit sweep_idempotency.at_most
          for update of idempotency skip locked
         ), swept as (
          delete from idempotency
            using expired
           where ((idempotency.project_id = expired.project_id) and (idempotency.key = expired.key))
           returning 1 as "?column?"
         )
  select (count(*))::integer as count
    from swept;
end;
grant execute on function sweep_idempotency(integer) to petstore_app;

create table access_tokens (
  id text not null,
  account_id text not null,
  label text not null,
  display text not null,
  digest bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  constraint access_tokens_pkey primary key (id),
  constraint access_tokens_digest_key unique (digest),
  constraint access_tokens_digest_check check (octet_length(digest) = 32),
  constraint access_tokens_id_check check (id ~ '^pat_[0-9a-f]{24}$'::text),
  constraint access_tokens_label_check check (char_length(label) >= 1 and char_length(label) <= 100),
  constraint access_tokens_account_id_fkey foreign key (account_id) references accounts(id)
);
create index access_tokens_by_account on access_tokens using btree (account_id, created_at);
create trigger token_revoked after delete on access_tokens for each row execute function note_revocation();
grant delete, insert, select, update on table access_tokens to petstore_app;

create table accounts (
  id text not null,
  email text not null,
  email_key text not null,
  name text not null,
  password text not null,
  created_at timestamp with time zone default now() not null,
  constraint accounts_pkey primary key (id),
  constraint accounts_email_key_key unique (email_key),
  constraint accounts_email_check check (char_length(email) >= 3 and char_length(email) <= 254),
  constraint accounts_id_check check (id ~ '^acc_[0-9a-f]{24}$'::text),
  constraint accounts_name_check check (char_length(name) >= 1 and char_length(name) <= 100)
);
grant insert, select, update on table accounts to petstore_app;

create table api_keys (
  project_id bigint not null,
  id text not null,
  label text not null,
  display_prefix text not null,
  last_four text not null,
  digest bytea not null,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  deprecated_calls bigint default 0 not null,
  constraint api_keys_pkey primary key (project_id, id),
  constraint api_keys_digest_check check (octet_length(digest) = 32),
  constraint api_keys_id_check check (id ~ '^key_[0-9A-Za-z]{16,}$'::text),
  constraint api_keys_label_check check (char_length(label) >= 1 and char_length(label) <= 100),
  constraint api_keys_scopes_check check (cardinality(scopes) > 0 and scopes <@ array['pets:read'::text, 'pets:write'::text, 'orders:read'::text])
);
alter table api_keys enable row level security;
alter table api_keys force row level security;
create policy own_project on api_keys for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
create trigger key_changed after delete or update of expires_at, revoked_at, scopes, digest on api_keys for each row execute function note_revocation();
grant insert, select on table api_keys to petstore_app;
grant update (expires_at, revoked_at, last_used_at, deprecated_calls) on table api_keys to petstore_app;

create table audit (
  project_id bigint not null,
  id bigint default nextval('audit_ids'::regclass) not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb default '{}'::jsonb not null,
  constraint audit_pkey primary key (project_id, id),
  constraint audit_action_check check (action ~ '^[a-z]+(_[a-z]+)*$'::text)
);
alter table audit enable row level security;
alter table audit force row level security;
create policy own_project on audit for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select on table audit to petstore_app;

create table authority_accounts (
  authority text not null,
  seal_id text not null,
  sealed_key bytea not null,
  url text,
  paused_until timestamp with time zone,
  outages integer default 0 not null,
  constraint authority_accounts_pkey primary key (authority)
);
grant insert, select, update on table authority_accounts to petstore_app;

create table authority_uses (
  authority text not null,
  scope text not null,
  slot timestamp with time zone not null,
  count integer not null,
  constraint authority_uses_pkey primary key (authority, scope, slot),
  constraint authority_uses_count_check check (count >= 0)
) with (fillfactor=70);
create index authority_uses_by_slot on authority_uses using btree (slot);
grant delete, insert, select, update on table authority_uses to petstore_app;

create table blobs (
  project_id bigint not null,
  digest text not null,
  type text not null,
  bytes bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint blobs_pkey primary key (project_id, digest),
  constraint blobs_bytes_check check (octet_length(bytes) >= 1 and octet_length(bytes) <= 524288),
  constraint blobs_digest_check check (digest ~ '^[0-9a-f]{64}$'::text),
  constraint blobs_type_check check (type = any (array['image/png'::text, 'image/jpeg'::text, 'image/webp'::text]))
);
alter table blobs enable row level security;
alter table blobs force row level security;
create policy own_project on blobs for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select on table blobs to petstore_app;

create table categories (
  project_id bigint not null,
  id bigint default nextval('category_ids'::regclass) not null,
  name text not null,
  constraint categories_pkey primary key (project_id, id),
  constraint categories_name_check check (char_length(name) >= 1 and char_length(name) <= 255)
);
alter table categories enable row level security;
alter table categories force row level security;
create policy own_project on categories for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table categories to petstore_app;

create table certificate_challenges (
  token text not null,
  hostname text not null,
  key_authorization text not null,
  expires_at timestamp with time zone not null,
  constraint certificate_challenges_pkey primary key (token),
  constraint certificate_challenges_token_check check (token ~ '^[A-Za-z0-9_-]{1,200}$'::text),
  constraint certificate_challenges_hostname_fkey foreign key (hostname) references certificate_wishes(hostname) on delete cascade
);
create index certificate_challenges_by_end on certificate_challenges using btree (expires_at);
create index certificate_challenges_by_hostname on certificate_challenges using btree (hostname);
grant delete, insert, select, update on table certificate_challenges to petstore_app;

create table certificate_clients (
  client text not null,
  free_at timestamp with time zone not null,
  constraint certificate_clients_pkey primary key (client)
) with (fillfactor=70);
create index certificate_clients_by_time on certificate_clients using btree (free_at);
grant delete, insert, select, update on table certificate_clients to petstore_app;

create table certificate_orders (
  id text not null,
  hostname text not null,
  generation bigint not null,
  state text not null,
  is_renewal boolean not null,
  replaces text,
  authority text,
  sealed_key bytea,
  order_url text,
  placements smallint default 0 not null,
  placed_at timestamp with time zone,
  failures integer default 0 not null,
  outages integer default 0 not null,
  is_asked boolean default false not null,
  problem text,
  held_until timestamp with time zone,
  next_at timestamp with time zone,
  evidence text not null,
  created_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint certificate_orders_pkey primary key (id),
  constraint certificate_orders_check check ((state = any (array['issued'::text, 'abandoned'::text])) = (ended_at is not null)),
  constraint certificate_orders_check1 check ((state = any (array['wanted'::text, 'failed'::text, 'issued'::text, 'abandoned'::text])) or authority is not null and sealed_key is not null),
  constraint certificate_orders_check2 check ((state <> all (array['placed'::text, 'authorizing'::text, 'finalizing'::text])) or order_url is not null and placed_at is not null),
  constraint certificate_orders_check3 check ((state <> all (array['issued'::text, 'abandoned'::text])) or sealed_key is null),
  constraint certificate_orders_id_check check (id ~ '^cor_[0-9a-f]{24}$'::text),
  constraint certificate_orders_state_check check (state = any (array['wanted'::text, 'intended'::text, 'placed'::text, 'authorizing'::text, 'finalizing'::text, 'issued'::text, 'failed'::text, 'abandoned'::text])),
  constraint certificate_orders_hostname_fkey foreign key (hostname) references certificate_wishes(hostname) on delete cascade
) with (fillfactor=80);
create index certificate_orders_by_end on certificate_orders using btree (ended_at) where ended_at is not null;
create index certificate_orders_by_hostname on certificate_orders using btree (hostname, created_at);
create unique index one_active_order on certificate_orders using btree (hostname) where ended_at is null;
grant delete, insert, select, update on table certificate_orders to petstore_app;

create table certificate_wishes (
  hostname text not null,
  generation bigint not null,
  client text not null,
  registered text not null,
  authorities text[] not null,
  evidence text not null,
  tell_kind text not null,
  tell_project bigint not null,
  tell_id text not null,
  changes integer default 0 not null,
  told integer default 0 not null,
  failed_at timestamp with time zone[] default '{}'::timestamp with time zone[] not null,
  dropped_at timestamp with time zone,
  kept_until timestamp with time zone,
  constraint certificate_wishes_pkey primary key (hostname),
  constraint certificate_wishes_authorities_check check (cardinality(authorities) >= 1),
  constraint certificate_wishes_check check ((dropped_at is null) = (kept_until is null)),
  constraint certificate_wishes_check1 check (told <= changes),
  constraint certificate_wishes_client_check check (char_length(client) >= 1 and char_length(client) <= 100),
  constraint certificate_wishes_hostname_check check (char_length(hostname) >= 1 and char_length(hostname) <= 253 and hostname = lower(hostname))
) with (fillfactor=80);
create index certificate_wishes_to_sweep on certificate_wishes using btree (kept_until) where kept_until is not null;
grant delete, insert, select, update on table certificate_wishes to petstore_app;

create table certificates (
  hostname text not null,
  generation bigint not null,
  client text not null,
  authority text not null,
  serial text not null,
  not_before timestamp with time zone not null,
  not_after timestamp with time zone not null,
  chain text not null,
  seal_id text not null,
  sealed_key bytea not null,
  certificate_id text,
  window_start timestamp with time zone,
  window_end timestamp with time zone,
  ask_at timestamp with time zone,
  renew_at timestamp with time zone not null,
  kept_until timestamp with time zone,
  constraint certificates_pkey primary key (hostname, generation),
  constraint certificates_check check (not_after > not_before),
  constraint certificates_check1 check ((window_start is null) = (window_end is null)),
  constraint certificates_hostname_fkey foreign key (hostname) references certificate_wishes(hostname) on delete cascade
) with (fillfactor=80);
create index certificates_by_seal on certificates using btree (seal_id, hostname, generation);
create index certificates_to_sweep on certificates using btree (kept_until) where kept_until is not null;
grant delete, insert, select, update on table certificates to petstore_app;

create table deployments (
  project_id bigint not null,
  id text not null,
  number integer not null,
  digest text not null,
  content text not null,
  logo text,
  state text default 'queued'::text not null,
  reason text,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint deployments_pkey primary key (project_id, id),
  constraint deployments_project_id_number_key unique (project_id, number),
  constraint deployments_check check ((finished_at is not null) = (state = any (array['succeeded'::text, 'failed'::text]))),
  constraint deployments_digest_check check (digest ~ '^[0-9a-f]{64}$'::text),
  constraint deployments_id_check check (id ~ '^dep_[0-9a-f]{24}$'::text),
  constraint deployments_number_check check (number >= 1),
  constraint deployments_state_check check (state = any (array['queued'::text, 'building'::text, 'succeeded'::text, 'failed'::text])),
  constraint deployments_project_id_logo_fkey foreign key (project_id, logo) references blobs(project_id, digest)
);
alter table deployments enable row level security;
alter table deployments force row level security;
create policy own_project on deployments for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select on table deployments to petstore_app;
grant update (state, reason, finished_at) on table deployments to petstore_app;

create table domain_events (
  project_id bigint not null,
  domain_id text not null,
  number integer not null,
  at timestamp with time zone default now() not null,
  kind text not null,
  code text,
  detail text default '{}'::text not null,
  constraint domain_events_pkey primary key (project_id, domain_id, number),
  constraint domain_events_number_check check (number >= 1),
  constraint domain_events_project_id_domain_id_fkey foreign key (project_id, domain_id) references domains(project_id, id)
);
alter table domain_events enable row level security;
alter table domain_events force row level security;
create policy own_project on domain_events for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select on table domain_events to petstore_app;

create table domain_looks (
  project_id bigint not null,
  domain_id text not null,
  at timestamp with time zone not null,
  judgement text not null,
  evidence text not null,
  answers text not null,
  first_look text,
  constraint domain_looks_pkey primary key (project_id, domain_id),
  constraint domain_looks_project_id_domain_id_fkey foreign key (project_id, domain_id) references domains(project_id, id)
);
alter table domain_looks enable row level security;
alter table domain_looks force row level security;
create policy own_project on domain_looks for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table domain_looks to petstore_app;

create table domain_settings (
  project_id bigint not null,
  version integer default 0 not null,
  primary_id text,
  constraint domain_settings_pkey primary key (project_id),
  constraint domain_settings_version_check check (version >= 0),
  constraint domain_settings_project_id_primary_id_fkey foreign key (project_id, primary_id) references domains(project_id, id)
);
alter table domain_settings enable row level security;
alter table domain_settings force row level security;
create policy own_project on domain_settings for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table domain_settings to petstore_app;

create table domains (
  project_id bigint not null,
  id text not null,
  hostname text not null,
  ownership text default 'unproven'::text not null,
  proof text,
  routing text default 'unknown'::text not null,
  certificate text default 'none'::text not null,
  rest text,
  generation bigint,
  token text not null,
  token_generation bigint not null,
  was_token_seen boolean default false not null,
  stale_tokens text[] default '{}'::text[] not null,
  drift_looks smallint default 0 not null,
  drift_since timestamp with time zone,
  added_at timestamp with time zone default now() not null,
  asked_at timestamp with time zone default now() not null,
  watched_until timestamp with time zone,
  looked_at timestamp with time zone,
  fully_looked_at timestamp with time zone,
  cause text,
  cause_severity text,
  cause_until timestamp with time zone,
  next_look_at timestamp with time zone,
  live_at timestamp with time zone,
  removed_at timestamp with time zone,
  told_serial text,
  was_expiry_told boolean default false not null,
  told_refusal text,
  constraint domains_pkey primary key (project_id, id),
  constraint domains_cause_severity_check check (cause_severity = any (array['blocks'::text, 'waits'::text, 'warns'::text])),
  constraint domains_certificate_check check (certificate = any (array['none'::text, 'blocked'::text, 'queued'::text, 'validating'::text, 'issued'::text, 'deployed'::text, 'renewing'::text, 'renewal_failing'::text, 'expired'::text, 'rate_limited'::text])),
  constraint domains_check check ((ownership = any (array['released'::text, 'lost'::text])) = (removed_at is not null)),
  constraint domains_check1 check ((ownership = 'proven'::text) = (generation is not null)),
  constraint domains_check2 check (removed_at is not null or next_look_at is not null),
  constraint domains_drift_looks_check check (drift_looks >= 0 and drift_looks <= 7),
  constraint domains_id_check check (id ~ '^dom_[0-9a-f]{24}$'::text),
  constraint domains_ownership_check check (ownership = any (array['unproven'::text, 'proven'::text, 'contested'::text, 'lost'::text, 'released'::text])),
  constraint domains_proof_check check (proof = any (array['cname'::text, 'txt'::text])),
  constraint domains_rest_check check (rest = any (array['dormant'::text, 'paused'::text])),
  constraint domains_routing_check check (routing = any (array['unknown'::text, 'missing'::text, 'wrong'::text, 'conflict'::text, 'propagating'::text, 'pointing'::text, 'drifted'::text, 'unreachable'::text])),
  constraint domains_token_check check (char_length(token) >= 26 and char_length(token) <= 80)
) with (fillfactor=80);
create unique index domains_by_hostname on domains using btree (project_id, hostname) where removed_at is null;
alter table domains enable row level security;
alter table domains force row level security;
create policy own_project on domains for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table domains to petstore_app;

create table due_directory (
  kind text not null,
  project_id bigint not null,
  id text not null,
  due_at timestamp with time zone not null,
  claimed_until timestamp with time zone,
  fence bigint default 0 not null,
  attempts integer default 0 not null,
  constraint due_directory_pkey primary key (kind, project_id, id),
  constraint due_directory_kind_check check (kind ~ '^[a-z_]+$'::text)
);
create index due_by_kind on due_directory using btree (kind, due_at);
grant delete, insert, select, update on table due_directory to petstore_app;

create table edge_directory (
  id text not null,
  name text not null,
  digest text not null,
  created_at timestamp with time zone default now() not null,
  revoked_at timestamp with time zone,
  acknowledged bigint default 0 not null,
  acknowledged_at timestamp with time zone,
  seen_at timestamp with time zone,
  constraint edge_directory_pkey primary key (id),
  constraint edge_directory_digest_key unique (digest),
  constraint edge_directory_name_key unique (name),
  constraint edge_directory_id_check check (id ~ '^edg_[0-9a-f]{24}$'::text),
  constraint edge_directory_name_check check (name ~ '^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$'::text)
) with (fillfactor=50);
grant insert, select, update on table edge_directory to petstore_app;

create table holder_directory (
  hostname text not null,
  generation bigint not null,
  project_id bigint not null,
  domain_id text not null,
  verified_at timestamp with time zone default now() not null,
  released_at timestamp with time zone,
  constraint holder_directory_pkey primary key (hostname, generation)
);
create unique index one_project_serves_a_name on holder_directory using btree (hostname) where released_at is null;
grant insert, select, update on table holder_directory to petstore_app;

create table hostname_directory (
  hostname text not null,
  generation bigint default 0 not null,
  constraint hostname_directory_pkey primary key (hostname),
  constraint hostname_directory_hostname_check check (char_length(hostname) >= 1 and char_length(hostname) <= 253 and hostname = lower(hostname))
);
grant insert, select, update on table hostname_directory to petstore_app;

create table idempotency (
  project_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  pet_id bigint not null,
  answer text not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_pkey primary key (project_id, key),
  constraint idempotency_fingerprint_check check (octet_length(fingerprint) = 32),
  constraint idempotency_key_check check (char_length(key) >= 1 and char_length(key) <= 255)
);
create index idempotency_by_age on idempotency using btree (created_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy expired on idempotency for all to petstore_owner
  using (created_at < (now() - '24:00:00'::interval));
create policy own_project on idempotency for all to petstore_app
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table idempotency to petstore_app;

create table import_parts (
  project_id bigint not null,
  import_id text not null,
  number integer not null,
  bytes bytea not null,
  constraint import_parts_pkey primary key (project_id, import_id, number),
  constraint import_parts_bytes_check check (octet_length(bytes) >= 1 and octet_length(bytes) <= 1048576),
  constraint import_parts_number_check check (number >= 1 and number <= 100000),
  constraint import_parts_project_id_import_id_fkey foreign key (project_id, import_id) references imports(project_id, id)
);
alter table import_parts enable row level security;
alter table import_parts force row level security;
create policy own_project on import_parts for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table import_parts to petstore_app;

create table imports (
  project_id bigint not null,
  id text not null,
  state text default 'uploading'::text not null,
  on_bad_line text not null,
  parts integer,
  lines bigint default 0 not null,
  added bigint default 0 not null,
  bad bigint default 0 not null,
  bad_lines jsonb default '[]'::jsonb not null,
  reason text,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  finished_at timestamp with time zone,
  constraint imports_pkey primary key (project_id, id),
  constraint imports_id_check check (id ~ '^imp_[0-9a-f]{24}$'::text),
  constraint imports_on_bad_line_check check (on_bad_line = any (array['refuse'::text, 'skip'::text])),
  constraint imports_parts_check check (parts >= 1 and parts <= 100000),
  constraint imports_state_check check (state = any (array['uploading'::text, 'queued'::text, 'running'::text, 'succeeded'::text, 'failed'::text]))
);
create index imports_by_time on imports using btree (project_id, created_at, id);
alter table imports enable row level security;
alter table imports force row level security;
create policy own_project on imports for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table imports to petstore_app;

create table invitation_directory (
  digest bytea not null,
  project_id bigint not null,
  invitation_id text not null,
  constraint invitation_directory_pkey primary key (digest),
  constraint invitation_directory_digest_check check (octet_length(digest) = 32)
);
grant delete, insert, select on table invitation_directory to petstore_app;

create table invitations (
  project_id bigint not null,
  id text not null,
  role text not null,
  note text not null,
  digest bytea not null,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint invitations_pkey primary key (project_id, id),
  constraint invitations_digest_check check (octet_length(digest) = 32),
  constraint invitations_id_check check (id ~ '^inv_[0-9a-f]{24}$'::text),
  constraint invitations_note_check check (char_length(note) >= 0 and char_length(note) <= 100),
  constraint invitations_role_check check (role = any (array['viewer'::text, 'admin'::text, 'owner'::text]))
);
alter table invitations enable row level security;
alter table invitations force row level security;
create policy own_project on invitations for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select on table invitations to petstore_app;

create table key_directory (
  digest bytea not null,
  project_id bigint not null,
  key_id text not null,
  constraint key_directory_pkey primary key (digest),
  constraint key_directory_digest_check check (octet_length(digest) = 32)
);
grant insert, select on table key_directory to petstore_app;

create table member_directory (
  account_id text not null,
  project_id bigint not null,
  constraint member_directory_pkey primary key (account_id, project_id)
);
grant delete, insert, select on table member_directory to petstore_app;

create table members (
  project_id bigint not null,
  account_id text not null,
  role text not null,
  added_at timestamp with time zone default now() not null,
  constraint members_pkey primary key (project_id, account_id),
  constraint members_role_check check (role = any (array['viewer'::text, 'admin'::text, 'owner'::text]))
);
alter table members enable row level security;
alter table members force row level security;
create policy own_project on members for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table members to petstore_app;

create table orders (
  project_id bigint not null,
  id bigint default nextval('order_ids'::regclass) not null,
  pet_id bigint not null,
  status text not null,
  ship_date timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  visitor_name text default ''::text not null,
  visitor_contact text default ''::text not null,
  message text default ''::text not null,
  expires_at timestamp with time zone,
  decided_at timestamp with time zone,
  decided_by text,
  constraint orders_pkey primary key (project_id, id),
  constraint orders_id_check check (id >= 1 and id <= '9007199254740991'::bigint),
  constraint orders_message_check check (char_length(message) <= 2000),
  constraint orders_status_check check (status = any (array['placed'::text, 'approved'::text, 'delivered'::text, 'declined'::text, 'expired'::text])),
  constraint orders_visitor_contact_check check (char_length(visitor_contact) <= 254),
  constraint orders_visitor_name_check check (char_length(visitor_name) <= 100),
  constraint orders_project_id_pet_id_fkey foreign key (project_id, pet_id) references pets(project_id, id)
);
create index orders_by_status on orders using btree (project_id, status, id);
create unique index orders_one_placed on orders using btree (project_id, pet_id) where status = 'placed'::text;
alter table orders enable row level security;
alter table orders force row level security;
create policy own_project on orders for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table orders to petstore_app;

create table passkey_challenges (
  id text not null,
  challenge text not null,
  account_id text,
  expires_at timestamp with time zone not null,
  constraint passkey_challenges_pkey primary key (id),
  constraint passkey_challenges_challenge_key unique (challenge),
  constraint passkey_challenges_challenge_check check (challenge ~ '^[A-Za-z0-9_-]{43}$'::text),
  constraint passkey_challenges_id_check check (id ~ '^chl_[0-9a-f]{24}$'::text),
  constraint passkey_challenges_account_id_fkey foreign key (account_id) references accounts(id)
);
create index passkey_challenges_by_end on passkey_challenges using btree (expires_at);
grant delete, insert, select, update on table passkey_challenges to petstore_app;

create table passkeys (
  id text not null,
  account_id text not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey primary key (id),
  constraint passkeys_credential_id_key unique (credential_id),
  constraint passkeys_counter_check check (counter >= 0 and counter <= '4294967295'::bigint),
  constraint passkeys_credential_id_check check (credential_id ~ '^[A-Za-z0-9_-]+$'::text and char_length(credential_id) <= 1364),
  constraint passkeys_id_check check (id ~ '^psk_[0-9a-f]{24}$'::text),
  constraint passkeys_label_check check (char_length(label) >= 1 and char_length(label) <= 100),
  constraint passkeys_public_key_check check (octet_length(public_key) >= 1 and octet_length(public_key) <= 2048),
  constraint passkeys_account_id_fkey foreign key (account_id) references accounts(id)
);
create index passkeys_by_account on passkeys using btree (account_id, created_at);
grant delete, insert, select, update on table passkeys to petstore_app;

create table pets (
  project_id bigint not null,
  id bigint default nextval('pet_ids'::regclass) not null,
  category_id bigint not null,
  created_at timestamp with time zone default now() not null,
  status text not null,
  name text not null,
  name_key text collate pg_c_utf8 generated always as (lower(name collate pg_c_utf8)) stored not null,
  constraint pets_pkey primary key (project_id, id),
  constraint pets_id_check check (id >= 1 and id <= '9007199254740991'::bigint),
  constraint pets_name_check check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint pets_status_check check (status = any (array['available'::text, 'pending'::text, 'sold'::text]))
);
create index pets_by_category on pets using btree (project_id, category_id, status, name_key, id);
create index pets_by_name on pets using btree (project_id, status, name_key, id);
create index pets_by_status on pets using btree (project_id, status, id);
alter table pets enable row level security;
alter table pets force row level security;
create policy own_project on pets for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select, update on table pets to petstore_app;

create table projects (
  project_id bigint default nextval('project_ids'::regclass) not null,
  slug text not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  plan text default 'free'::text not null,
  deleted_at timestamp with time zone,
  constraint projects_pkey primary key (project_id),
  constraint projects_name_check check (char_length(name) >= 1 and char_length(name) <= 255),
  constraint projects_plan_check check (plan = any (array['free'::text, 'pro'::text, 'enterprise'::text])),
  constraint projects_project_id_check check (project_id >= 1 and project_id <= '9007199254740991'::bigint)
);
alter table projects enable row level security;
alter table projects force row level security;
create policy own_project on projects for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table projects to petstore_app;

create table published (
  project_id bigint not null,
  deployment_id text not null,
  decided integer not null,
  at timestamp with time zone default now() not null,
  constraint published_pkey primary key (project_id),
  constraint published_decided_check check (decided >= 1),
  constraint published_project_id_deployment_id_fkey foreign key (project_id, deployment_id) references deployments(project_id, id)
);
alter table published enable row level security;
alter table published force row level security;
create policy own_project on published for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table published to petstore_app;

create table redirects (
  project_id bigint not null,
  from_id text not null,
  to_id text not null,
  status smallint default 301 not null,
  constraint redirects_pkey primary key (project_id, from_id),
  constraint redirects_check check (to_id <> from_id),
  constraint redirects_status_check check (status = any (array[301, 302, 307, 308])),
  constraint redirects_project_id_from_id_fkey foreign key (project_id, from_id) references domains(project_id, id),
  constraint redirects_project_id_to_id_fkey foreign key (project_id, to_id) references domains(project_id, id)
);
alter table redirects enable row level security;
alter table redirects force row level security;
create policy own_project on redirects for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant delete, insert, select on table redirects to petstore_app;

create table revocation_directory (
  id bigint generated always as identity not null,
  xact xid8 default pg_current_xact_id() not null,
  digest bytea not null,
  noted_at timestamp with time zone default now() not null,
  constraint revocation_directory_pkey primary key (id),
  constraint revocation_directory_digest_check check (octet_length(digest) = 32)
);
create index revocations_by_age on revocation_directory using btree (noted_at);
create index revocations_by_xact on revocation_directory using btree (xact);
grant delete, insert, select on table revocation_directory to petstore_app;

create table route_clock (
  one boolean default true not null,
  seq bigint default 0 not null,
  forgotten bigint default 0 not null,
  constraint route_clock_pkey primary key (one),
  constraint route_clock_one_check check (one)
);
grant select, update on table route_clock to petstore_app;

create table route_directory (
  hostname text not null,
  seq bigint not null,
  kind text not null,
  slug text,
  target text,
  status smallint,
  generation bigint not null,
  serial text,
  changed_at timestamp with time zone default now() not null,
  constraint route_directory_pkey primary key (hostname),
  constraint route_directory_check check ((kind = 'gone'::text) = (slug is null)),
  constraint route_directory_check1 check ((kind = 'gone'::text) = (serial is null)),
  constraint route_directory_check2 check ((kind = 'redirect'::text) = (target is not null and status is not null)),
  constraint route_directory_hostname_check check (char_length(hostname) >= 1 and char_length(hostname) <= 253 and hostname = lower(hostname)),
  constraint route_directory_kind_check check (kind = any (array['site'::text, 'redirect'::text, 'gone'::text])),
  constraint route_directory_status_check check (status = any (array[301, 302, 307, 308]))
) with (fillfactor=80);
create unique index route_directory_by_seq on route_directory using btree (seq);
create index routes_to_forget on route_directory using btree (changed_at) where kind = 'gone'::text;
grant delete, insert, select, update on table route_directory to petstore_app;

create table schema_migrations (
  name text not null,
  digest text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migrations_pkey primary key (name)
);
grant select on table schema_migrations to petstore_app;

create table sessions (
  id text not null,
  account_id text not null,
  digest bytea not null,
  created_at timestamp with time zone default now() not null,
  seen_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  device text,
  constraint sessions_pkey primary key (id),
  constraint sessions_digest_key unique (digest),
  constraint sessions_device_check check (char_length(device) <= 60),
  constraint sessions_digest_check check (octet_length(digest) = 32),
  constraint sessions_id_check check (id ~ '^ses_[0-9a-f]{24}$'::text),
  constraint sessions_account_id_fkey foreign key (account_id) references accounts(id)
);
create index sessions_by_account on sessions using btree (account_id, created_at);
create index sessions_by_end on sessions using btree (expires_at);
create index sessions_by_use on sessions using btree (seen_at);
create trigger session_ended after delete on sessions for each row execute function note_revocation();
grant delete, insert, select, update on table sessions to petstore_app;

create table share_directory (
  digest bytea not null,
  project_id bigint not null,
  domain_id text not null,
  made_at timestamp with time zone default clock_timestamp() not null,
  expires_at timestamp with time zone not null,
  constraint share_directory_pkey primary key (digest),
  constraint share_directory_digest_check check (octet_length(digest) = 32)
);
create index shares_by_domain on share_directory using btree (project_id, domain_id, made_at);
create index shares_by_end on share_directory using btree (expires_at);
grant delete, insert, select on table share_directory to petstore_app;

create table sighting_directory (
  hostname text not null,
  slug text not null,
  seen_at timestamp with time zone default now() not null,
  constraint sighting_directory_pkey primary key (hostname, slug)
);
grant insert, select on table sighting_directory to petstore_app;

create table site_secrets (
  project_id bigint not null,
  secret bytea not null,
  constraint site_secrets_pkey primary key (project_id),
  constraint site_secrets_secret_check check (octet_length(secret) = 32)
);
alter table site_secrets enable row level security;
alter table site_secrets force row level security;
create policy own_project on site_secrets for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select on table site_secrets to petstore_app;

create table sites (
  project_id bigint not null,
  version integer default 0 not null,
  settings text,
  logo text,
  changed_at timestamp with time zone default now() not null,
  constraint sites_pkey primary key (project_id),
  constraint sites_version_check check (version >= 0),
  constraint sites_project_id_logo_fkey foreign key (project_id, logo) references blobs(project_id, digest)
);
alter table sites enable row level security;
alter table sites force row level security;
create policy own_project on sites for all to public
  using (project_id = any ((( select allowed_projects() as allowed_projects))::bigint[]));
grant insert, select, update on table sites to petstore_app;

create table slug_directory (
  slug text not null,
  project_id bigint not null,
  constraint slug_directory_pkey primary key (slug),
  constraint slug_directory_slug_check check (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text and slug ~ '[a-z]'::text)
);
grant insert, select on table slug_directory to petstore_app;

grant usage on schema public to public;
