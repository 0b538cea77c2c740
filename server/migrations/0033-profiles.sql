-- phase: expand
-- oldest-release: 1.0
-- locks: projects access exclusive

-- Whether the owner runs a shelter or a shop, which selects words on the site. Null until the owner chooses.
alter table projects add column kind text check (kind in ('shelter', 'shop'));

-- What people read about an animal, beside the animal itself: `pets` stays as `/v1` reads it. No foreign key, since that
-- would add a trigger to `pets`; a profile is written while its animal is locked, and deleted with it. The last three
-- columns are for members alone: no statement of a site names them.
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
grant select, insert, update, delete on pet_profiles to petstore_app;
