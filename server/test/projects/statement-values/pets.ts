// Animals, categories, imports and the stored responses of idempotency keys.

import { newId } from '../../../src/foundation/ids.io.ts'
import { BEGINNING, CARRIED_CATEGORY, NORTHS_KEY, OWNER, QUEUED, UPLOADING, type Statements } from './statements.ts'

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
    'keep-answer': 'a conflict on (project_id, key) is always with a row of the same project',
    'name-category': 'a conflict on (project_id, id) is always with a row of the same project',
    'put-import-part': 'a conflict on (project_id, import_id, number) is always with a row of the same project',
  },
  lacking: { 'missing-import-parts': 2 },
}
