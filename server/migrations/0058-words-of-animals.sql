-- phase: expand
-- oldest-release: 1.0
-- locks: pet_profiles share row exclusive
-- locks: pets share row exclusive

-- What an animal is found by besides the beginning of its name: from each further word of its name, and from each word of
-- its breeds, the text that begins there, in lower case; and its chip number without separators. A range of an index finds
-- them, because an operator that is not leakproof, such as those of trigrams and of text search, could not use an index under
-- row-level security. Triggers write them, so that an earlier release next to this one keeps them as well.
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

-- The words of the animals from before the triggers, a thousand at a time: each part is committed, and holds no lock but that
-- of its animals, which cannot be renamed in the meantime. Row-level security binds the owner too, so project by project.
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
