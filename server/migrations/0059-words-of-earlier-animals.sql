-- phase: expand
-- oldest-release: 1.0
-- locks: none
-- transaction: none

call fill_pet_words();
