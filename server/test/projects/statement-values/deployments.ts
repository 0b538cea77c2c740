// Drafts of sites, deployments, what is published, and files.

import { BLOBS, OWNER, TWIN_DEPLOYMENTS, type Statements } from './statements.ts'

const [OF_NORTH, OF_SOUTH] = TWIN_DEPLOYMENTS
const NEW = 'dep_00000000000000000000000f'

export const deploymentStatements: Statements = {
  values: {
    'list-deployments': (project) => [project, 1_000_000, 100],
    'find-deployment': (project) => [project, OF_NORTH],
    'find-current-deployment': (project) => [project],
    'find-deployment-content': (project) => [project, OF_NORTH],
    'insert-deployment': (project) => [project, NEW, 'd'.repeat(64), '{}', null, OWNER],
    'lock-deployment': (project) => [project, OF_NORTH],
    'set-deployment-state': (project) => [project, OF_NORTH, 'failed', 'no', true],
    'publish-deployment': (project) => [project, OF_SOUTH, 1000],
    'publish-deployment-again': (project) => [project, OF_NORTH],
    'current-content': (project) => [project],
    'find-blob': (project) => [project, BLOBS.shown],
    'insert-blob': (project) => [project, 'e'.repeat(64), 'image/png', Buffer.from('new')],
    // The south does not use what the north uses; so it may drop it, and the north may not.
    'drop-blob': (project, north) => [project, project === north.project ? BLOBS.unused : BLOBS.used],
    'newest-animals': (project) => [project, 100],
    'find-site': (project) => [project],
    'open-site': (project) => [project],
    'lock-site': (project) => [project],
    'change-site-settings': (project) => [project, '{}'],
    'change-site-logo': (project) => [project, BLOBS.shown],
    'site-categories': (project) => [project],
  },
  harmless: {
    'publish-deployment': 'a conflict on (project_id) is always with the row of the same project',
  },
  seen: {
    'insert-deployment': ' returning number',
    'publish-deployment-again': ', decided',
    'drop-blob': ' returning digest',
  },
  idle: { 'open-site': 'the draft is open already' },
}
