// Projects, keys, members, invitations and the audit trail.

import { randomBytes } from 'node:crypto'
import { newId } from '../../../src/foundation/ids.io.ts'
import { BEGINNING, INVITATION, OWNER, type Statements } from './statements.ts'

export const projectStatements: Statements = {
  values: {
    'insert-project': (project) => [project, 'another', 'Another'],
    'find-project': (project) => [project],
    'lock-project': (project) => [project],
    'rename-project': (project) => [project, 'Renamed'],
    'set-plan': (project) => [project, 'pro'],
    'delete-project': (project) => [project],
    'count-usage': (project) => [project],
    'insert-key': (project) => [
      project,
      newId('key'),
      'new',
      'pets_test_0000',
      '0000',
      randomBytes(32),
      ['pets:read'],
      null,
    ],
    'list-keys': (project) => [project],
    'list-keys-living-first': (project) => [project, 100],
    'count-lasting-keys': (project) => [project, 60],
    'expire-key': (project, { keyId }) => [project, keyId, 60],
    'revoke-key': (project, { keyId }) => [project, keyId],
    'revoke-all-keys': (project) => [project],
    'touch-keys': (project, { keyId }) => [[project], [keyId], [new Date()]],
    'add-deprecated-calls': (project, { keyId }) => [[project], [keyId], [5]],
    'find-role': (project) => [project, OWNER],
    'insert-member': (project) => [project, 'acc_00000000000000000000000f', 'viewer'],
    'insert-audit': (project) => [project, OWNER, 'key_made', 'subject', '{}', 'petstore_deeds'],
    'list-audit': (project) => [project, BEGINNING, 100],
    'newest-audit-events': (project) => [project, 100, 10],
    'lock-members': (project) => [project],
    'list-members': (project) => [project],
    'set-role': (project) => [project, OWNER, 'admin'],
    'delete-member': (project) => [project, OWNER],
    'list-invitations': (project) => [project],
    'insert-invitation': (project) => [project, newId('inv'), 'viewer', '', randomBytes(32), OWNER, 7],
    'find-invitation': (project) => [project, INVITATION],
    'take-invitation': (project) => [project, INVITATION],
    'delete-invitations-of': (project) => [project, OWNER],
    'delete-expired-invitations': (project) => [project],
  },
  harmless: {
    'find-role': 'a member is joined with its own project, so either condition binds both',
  },
}
