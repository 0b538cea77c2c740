-- phase: expand
-- oldest-release: 1.0
-- locks: none

-- Animals: `pets` as `/v1` reads them, their profiles for people, and the words by which they are found.

create sequence category_ids as bigint maxvalue 9007199254740991;
grant usage on sequence category_ids to petstore_app;
create table categories (
  project_id bigint not null,
  id bigint not null default nextval('category_ids'),
  name text not null check (char_length(name) between 1 and 255),
  primary key (project_id, id)
);
alter table categories enable row level security;
alter table categories force row level security;
create policy own_project on categories
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, update, delete on categories to petstore_app;

-- No foreign key to categories: any int64 is a category, since `/v1` gives its callers no way to learn which ones exist.
create sequence pet_ids as bigint maxvalue 9007199254740991;
grant usage on sequence pet_ids to petstore_app;
create table pets (
  project_id bigint not null,
  id bigint not null default nextval('pet_ids') check (id between 1 and 9007199254740991),
  category_id bigint not null,
  created_at timestamptz not null default now(),
  status text not null check (status in ('available', 'pending', 'sold')),
  name text not null check (char_length(name) between 1 and 255),
  -- The name as it is compared: in lower case, by a collation that every database has and that never changes. Stored,
  -- because under row-level security an index on an expression could not be searched.
  name_key text collate "pg_c_utf8" not null generated always as (lower(name collate "pg_c_utf8")) stored,
  primary key (project_id, id)
);
-- A list is one range scan: the primary key serves the list without a filter, this index the one with it. Both are read
-- backwards, newest first.
create index pets_by_status on pets (project_id, status, id);
-- With the status in front of the name these serve the lists with and without a status: without, three ranges are merged.
create index pets_by_name on pets (project_id, status, name_key, id);
create index pets_by_category on pets (project_id, category_id, status, name_key, id);
-- Every index of animals begins with the project and contains the id, so the planner tells them apart only by how many
-- animals it expects in a project. With many small projects next to one with 100,000 animals it expected less than one, and
-- read all entries of the large project in pets_by_category to find one animal. With this, from the next `analyze` on, it
-- expects a tenth of all animals in each project: ten is also for how many projects it takes the array of the policy.
alter table pets alter column project_id set (n_distinct = 10);
alter table pets enable row level security;
alter table pets force row level security;
create policy own_project on pets
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger counted_on_insert after insert on pets referencing new table as added
  for each statement execute function count_rows('animals');
create trigger counted_on_delete after delete on pets referencing old table as removed
  for each statement execute function count_rows('animals');
grant select, insert, update, delete on pets to petstore_app;

-- The response to a POST with an Idempotency-Key, written in the transaction of the animal that it is about: a crash leaves
-- both or neither. The scope is the project and not the API key, so a retry survives the rotation of the key.
create table idempotency (
  project_id bigint not null,
  key text not null check (char_length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  pet_id bigint not null,
  answer text not null,
  created_at timestamptz not null default now(),
  primary key (project_id, key)
);
create index idempotency_by_age on idempotency (created_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy own_project on idempotency to petstore_app
  using (project_id = any ((select allowed_projects())::bigint[]));
-- Sweeping crosses projects, so it is a function of the owner's, and row-level security, which binds the owner too, shows
-- it expired rows and no others.
create policy expired on idempotency to petstore_owner
  using (created_at < now() - interval '24 hours');
create trigger counted_on_insert after insert on idempotency referencing new table as added
  for each statement execute function count_rows('idempotencyKeys');
create trigger counted_on_delete after delete on idempotency referencing old table as removed
  for each statement execute function count_rows('idempotencyKeys');
grant select, insert, update, delete on idempotency to petstore_app;

create function sweep_idempotency(at_most integer) returns integer
  language sql security definer set search_path = public, pg_temp
  begin atomic
    with expired as (
      select project_id, key from idempotency
      where created_at < now() - interval '24 hours'
      order by created_at
      limit at_most
      for update skip locked
    ), swept as (
      delete from idempotency using expired
      where idempotency.project_id = expired.project_id and idempotency.key = expired.key
      returning 1
    )
    select count(*)::integer from swept;
  end;
revoke execute on function sweep_idempotency(integer) from public;
grant execute on function sweep_idempotency(integer) to petstore_app;

-- What people read about an animal. No foreign key, since that would add a trigger to `pets`; a profile is written while
-- its animal is locked, and deleted with it.
create table pet_profiles (
  project_id bigint not null,
  pet_id bigint not null,
  version integer not null default 1 check (version >= 1),
  headline text not null check (char_length(headline) <= 120),
  story text not null check (char_length(story) <= 10000),
  breed text not null check (char_length(breed) <= 80),
  second_breed text not null check (char_length(second_breed) <= 80),
  is_mixed boolean not null,
  sex text check (sex in ('female', 'male')),
  size text check (size in ('small', 'medium', 'large', 'extra_large')),
  coat text check (coat in ('hairless', 'short', 'medium', 'long', 'wire', 'curly')),
  color text not null check (char_length(color) <= 60),
  weight_grams integer check (weight_grams between 1 and 2000000),
  born date,
  born_precision text check (born_precision in ('day', 'month', 'year')),
  is_born_estimated boolean,
  good_with_children text not null check (good_with_children in ('yes', 'no', 'unknown')),
  good_with_dogs text not null check (good_with_dogs in ('yes', 'no', 'unknown')),
  good_with_cats text not null check (good_with_cats in ('yes', 'no', 'unknown')),
  good_with_note text not null check (char_length(good_with_note) <= 200),
  is_neutered text not null check (is_neutered in ('yes', 'no', 'unknown')),
  is_vaccinated text not null check (is_vaccinated in ('yes', 'no', 'unknown')),
  is_house_trained text not null check (is_house_trained in ('yes', 'no', 'unknown')),
  special_needs text not null check (char_length(special_needs) <= 500),
  traits text[] not null check (cardinality(traits) <= 12),
  fee_amount bigint check (fee_amount between 0 and 1000000000),
  fee_currency text check (fee_currency ~ '^[A-Z]{3}$'),
  location text not null check (char_length(location) <= 80),
  in_care_since date,
  portrait text check (portrait ~ '^[a-z]+(-[a-z]+)*-[0-9]$'),
  is_hidden boolean not null,
  is_featured boolean not null,
  -- For members alone, to the end: no statement of a site names these columns.
  external_id text check (char_length(external_id) between 1 and 100),
  chip_number text not null check (char_length(chip_number) <= 23),
  internal_notes text not null check (char_length(internal_notes) <= 5000),
  primary key (project_id, pet_id),
  check ((born is null) = (born_precision is null) and (born is null) = (is_born_estimated is null)),
  check ((fee_amount is null) = (fee_currency is null))
);
create unique index pet_profiles_by_external_id on pet_profiles (project_id, external_id) where external_id is not null;
-- Few of them: a site shows them first.
create index pet_profiles_featured on pet_profiles (project_id, pet_id desc) where is_featured;
alter table pet_profiles enable row level security;
alter table pet_profiles force row level security;
create policy own_project on pet_profiles
  using (project_id = any ((select allowed_projects())::bigint[]));
create trigger stored_on_insert after insert on pet_profiles referencing new table as added
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');
create trigger stored_on_update after update on pet_profiles referencing new table as added old table as removed
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');
create trigger stored_on_delete after delete on pet_profiles referencing old table as removed
  for each statement execute function count_stored_bytes('texts', 'octet_length(headline || story || good_with_note || special_needs || internal_notes)');
grant select, insert, update, delete on pet_profiles to petstore_app;

-- What an animal is found by besides the beginning of its name: from each further word of its name, and from each word of
-- its breeds, the text that begins there, in lower case; and its chip number without separators. A range of an index finds
-- them, because an operator that is not leakproof, such as those of trigrams and of text search, could not use an index
-- under row-level security. Triggers write them, so that no statement can forget to, whichever release it is of.
create table pet_words (
  project_id bigint not null,
  pet_id bigint not null,
  key text collate "pg_c_utf8" not null check (char_length(key) between 1 and 40),
  -- No statement of a site reads chip numbers.
  source text not null check (source in ('name', 'breed', 'chip')),
  primary key (project_id, key, pet_id, source)
);
alter table pet_words enable row level security;
alter table pet_words force row level security;
create policy own_project on pet_words
  using (project_id = any ((select allowed_projects())::bigint[]));
grant select, insert, delete on pet_words to petstore_app;

-- From the beginning of each of the first words to the end of the text, as far as a key goes.
create function word_starts(whole text, words integer) returns setof text
  language sql immutable as $$
    select distinct left(substr(whole, regexp_instr(whole collate "pg_c_utf8", '\m\w', 1, n)), 40)
    from generate_series(1, least(words, regexp_count(whole collate "pg_c_utf8", '\m\w'))) as n
  $$;

create function keys_of_name(name_key text) returns setof text
  language sql immutable as $$
    select key from word_starts(name_key, 8) as key where not starts_with(name_key, key)
  $$;

create function keys_of_profile(breed text, second_breed text, chip_number text)
  returns table (source text, key text)
  language sql immutable as $$
    select distinct 'breed', key
    from unnest(array[breed, second_breed]) as one, word_starts(lower(one collate "pg_c_utf8"), 4) as key
    union all
    select 'chip', key
    from regexp_replace(lower(chip_number collate "pg_c_utf8"), '\W', '', 'g') as key
    where key <> ''
  $$;

-- Of a whole statement: an import adds many thousand.
create function add_words_of_names() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    insert into pet_words (project_id, pet_id, key, source)
    select project_id, id, key, 'name' from added, keys_of_name(name_key) as key where name_key ~ '\W';
    return null;
  end
  $$;

create function change_words_of_name() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    delete from pet_words using keys_of_name(old.name_key) as old_key
    where project_id = old.project_id and pet_words.key = old_key and pet_id = old.id and source = 'name';
    if tg_op = 'UPDATE' then
      insert into pet_words (project_id, pet_id, key, source)
      select new.project_id, new.id, key, 'name' from keys_of_name(new.name_key) as key;
    end if;
    return null;
  end
  $$;

create function add_words_of_profiles() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    insert into pet_words (project_id, pet_id, key, source)
    select project_id, pet_id, key, source from added, keys_of_profile(breed, second_breed, chip_number);
    return null;
  end
  $$;

create function change_words_of_profile() returns trigger
  language plpgsql set search_path = public, pg_temp as $$
  begin
    delete from pet_words using keys_of_profile(old.breed, old.second_breed, old.chip_number) as old_key
    where project_id = old.project_id and pet_words.key = old_key.key and pet_id = old.pet_id
      and pet_words.source = old_key.source;
    if tg_op = 'UPDATE' then
      insert into pet_words (project_id, pet_id, key, source)
      select new.project_id, new.pet_id, key, source
      from keys_of_profile(new.breed, new.second_breed, new.chip_number);
    end if;
    return null;
  end
  $$;

create trigger words_on_insert after insert on pets referencing new table as added
  for each statement execute function add_words_of_names();
create trigger words_on_update after update of name on pets for each row
  when (new.name_key <> old.name_key) execute function change_words_of_name();
create trigger words_on_delete after delete on pets for each row
  when (old.name_key ~ '\W') execute function change_words_of_name();
create trigger words_on_insert after insert on pet_profiles referencing new table as added
  for each statement execute function add_words_of_profiles();
create trigger words_on_update after update on pet_profiles for each row
  when ((new.breed, new.second_breed, new.chip_number) <> (old.breed, old.second_breed, old.chip_number))
  execute function change_words_of_profile();
create trigger words_on_delete after delete on pet_profiles for each row
  when (old.breed || old.second_breed || old.chip_number <> '') execute function change_words_of_profile();

-- Adds the words that are missing, of animals from before the triggers, a thousand at a time: each part is committed, and
-- holds no lock but that of its animals, which cannot be renamed in the meantime. Row-level security binds the owner too,
-- so project by project. For a migration that changes what a word is, which calls it without a transaction.
create procedure fill_pet_words()
  language plpgsql as $$
  declare
    project bigint;
    last bigint;
  begin
    for project in select project_id from slug_directory order by project_id loop
      last := 0;
      loop
        perform set_config('petstore.projects', format('{%s}', project), true);
        with part as (
          select id, name_key from pets where project_id = project and id > last order by id limit 1000 for share
        ), added as (
          insert into pet_words (project_id, pet_id, key, source)
          select project, id, key, 'name' from part, keys_of_name(name_key) as key
          on conflict do nothing
        )
        select max(id) into last from part;
        commit;
        exit when last is null;
      end loop;
      last := 0;
      loop
        perform set_config('petstore.projects', format('{%s}', project), true);
        with part as (
          select pet_id, breed, second_breed, chip_number
          from pet_profiles where project_id = project and pet_id > last order by pet_id limit 1000 for share
        ), added as (
          insert into pet_words (project_id, pet_id, key, source)
          select project, pet_id, key, source from part, keys_of_profile(breed, second_breed, chip_number)
          on conflict do nothing
        )
        select max(pet_id) into last from part;
        commit;
        exit when last is null;
      end loop;
    end loop;
  end
  $$;
revoke execute on procedure fill_pet_words() from public;
