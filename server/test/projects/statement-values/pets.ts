// Animals, categories, imports and the stored responses of idempotency keys.

import { newId } from '../../../src/foundation/ids.io.ts'
import {
  BEGINNING,
  CARRIED_CATEGORY,
  DIGESTS,
  NORTHS_KEY,
  OBJECT,
  OWNER,
  PHOTO,
  PHOTOS,
  PHOTO_IN_WORK,
  QUEUED,
  SOURCE,
  UPLOADING,
  type Statements,
} from './statements.ts'

/** The columns that have no null, as a profile is written. */
const PROFILE = JSON.stringify({
  ...Object.fromEntries(
    'headline story breed second_breed color good_with_note special_needs location chip_number internal_notes'
      .split(' ')
      .map((column) => [column, '']),
  ),
  ...Object.fromEntries(
    'good_with_children good_with_dogs good_with_cats is_neutered is_vaccinated is_house_trained'
      .split(' ')
      .map((column) => [column, 'unknown']),
  ),
  is_mixed: false,
  is_hidden: false,
  is_featured: false,
  traits: [],
})

/** No animal has a profile with this identifier. */
const NEW_PET = '4000000000000009'

const END = '-9223372036854775808'

export const petStatements: Statements = {
  values: {
    'insert-pets': (project) => [[project], ['new'], [1], ['available']],
    'find-pets': (project, { petId }) => [[project], [petId]],
    'list-pets': (project) => [[project], [BEGINNING], [100]],
    'list-pets-by-status': (project) => [[project], [BEGINNING], [100], ['available']],
    'lock-idempotency-key': (project) => [project, NORTHS_KEY],
    'find-answer': (project) => [project, NORTHS_KEY],
    'keep-answer': (project, { petId }) => [project, NORTHS_KEY, Buffer.alloc(32), petId, 'new'],

    'find-animal': (project, { petId }) => [project, petId],
    'insert-animal': (project) => [project, 'new', 1, 'available'],
    'change-animal': (project, { petId }) => [project, petId, 'changed', null],
    'delete-animal': (project, { lonePetId }) => [project, lonePetId],
    'list-animals': (project) => [project, BEGINNING, 100],
    'list-animals-by-status': (project) => [project, BEGINNING, 100, 'available'],
    'list-animals-by-name': (project) => [project, '', null, END, 100, null],
    'list-animals-by-category': (project) => [project, '', null, END, 100, null, 1],
    'export-animals': (project) => [project, 0, 100],
    'count-animals-by-status': (project) => [project, 'available', 100],

    'find-profile': (project, { petId }) => [project, petId],
    'lock-profiled-animal': (project, { petId }) => [project, petId],
    'insert-profile': (project) => [project, NEW_PET, PROFILE],
    'update-profile': (project, { petId }) => [project, petId, PROFILE, 1],
    'delete-profile': (project, { petId }) => [project, petId],
    'list-profile-summaries': (project, { petId }) => [project, [petId]],

    'find-photo': (project, { petId }) => [project, petId, PHOTO],
    'find-photo-by-idempotency-key': (project) => [project, 'north'],
    'list-photos': (project, { petId }) => [project, petId],
    'list-covers': (project, { petId }) => [project, [petId]],
    'find-photo-file': (project) => [project, PHOTOS.norths, 1, 320],
    'insert-photo': (project, { petId }) => [
      project,
      petId,
      newId('pho'),
      'e'.repeat(64),
      'e'.repeat(64),
      'uploads/new',
      1,
      10,
      null,
    ],
    'change-photo': (project, { petId }) => [project, petId, PHOTO, 'changed', 0, 0],
    'turn-photo': (project, { petId }) => [project, petId, PHOTO, 90, 'e'.repeat(64), 'photos/x/1-master.webp'],
    'order-photos': (project, { petId }) => [project, petId, [PHOTO_IN_WORK, PHOTO]],
    'delete-photo': (project, { petId }) => [project, petId, PHOTO],
    'delete-photos': (project, { petId }) => [project, petId],
    'open-photo-usage': (project) => [project],
    'change-photo-usage': (project) => [project, 1],
    'find-photo-bytes': (project) => [project],
    'lock-photos': (project) => [project],
    'finish-photo': (project, { petId }) => [project, petId, PHOTO_IN_WORK, DIGESTS.inWork, 1, [320], [10], 400, 300],
    'fail-photo': (project, { petId }) => [project, petId, PHOTO_IN_WORK, DIGESTS.inWork, 'damaged'],
    'turn-photo-back': (project, { petId }) => [project, petId, PHOTO_IN_WORK, DIGESTS.inWork, 0, DIGESTS.ready],
    'list-digests-in-use': (project) => [project, [DIGESTS.ready, DIGESTS.source]],
    'list-sources-in-use': (project) => [project, [SOURCE]],
    'sum-photos': (project) => [project],
    'set-photo-usage': (project) => [project, 7],
    'find-project-state': (project) => [project, 0],
    'list-animals-with-photos': (project) => [project, 10],
    'insert-object': (project) => [project, 'uploads/new', Buffer.from('new')],
    'find-object': (project) => [project, OBJECT],
    'delete-object': (project) => [project, OBJECT],
    'list-objects': (project) => [project, '', '', 100],

    'lock-categories': (project) => [project],
    'count-categories': (project) => [project],
    'list-categories': (project) => [project, 100],
    'find-category': (project, { categoryId }) => [project, categoryId],
    'insert-category': (project) => [project, 'new'],
    'name-category': (project, { categoryId }) => [project, categoryId, 'renamed'],
    'find-carried': (project) => [project, CARRIED_CATEGORY],
    'delete-category': (project, { categoryId }) => [project, categoryId],

    'insert-import': (project) => [project, newId('imp'), 'refuse', OWNER],
    'lock-imports': (project) => [project],
    'count-open-imports': (project) => [project],
    'find-import': (project) => [project, UPLOADING],
    'hold-import': (project) => [project, UPLOADING],
    'list-imports': (project) => [project, 100],
    'put-import-part': (project) => [project, UPLOADING, 1, Buffer.from('other')],
    'read-import-part': (project) => [project, UPLOADING, 1, 1, 100],
    'missing-import-parts': (project) => [project, UPLOADING, 2, 10],
    'excess-import-parts': (project) => [project, UPLOADING, 0],
    'delete-import-parts': (project) => [project, UPLOADING, 1, 9],
    'last-import-part': (project) => [project, UPLOADING],
    'queue-import': (project) => [project, UPLOADING, 1],
    'progress-import': (project) => [project, QUEUED, 10, 1, '[]'],
    'finish-import': (project) => [project, QUEUED, 'failed', 10, 0, 1, '[]', 'no'],
    'add-imported-pets': (project) => [project, ['new'], [1], ['available']],
  },
  harmless: {
    'insert-photo': 'an animal has one project, so no other has photos of it',
    'open-photo-usage': 'a conflict on (project_id) is always with a row of the same project',
    'keep-answer': 'a conflict on (project_id, key) is always with a row of the same project',
    'name-category': 'a conflict on (project_id, id) is always with a row of the same project',
    'put-import-part': 'a conflict on (project_id, import_id, number) is always with a row of the same project',
  },
  lacking: { 'missing-import-parts': 2 },
}
