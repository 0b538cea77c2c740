// What visitors to a site see, and what its forms are signed with.

import { BEGINNING, type Statements } from './statements.ts'

export const siteStatements: Statements = {
  values: {
    'site-animals-before': (project) => [project, BEGINNING, 100, [], null, 100],
    'site-animals-after': (project) => [project, 0, 100, [], null, 100],
    'site-category-counts': (project) => [project, 100],
    'site-animal': (project, { petId }) => [project, petId],
    'site-secret': (project) => [project],
    'insert-site-secret': (project) => [project, Buffer.alloc(32, 7)],
  },
  idle: { 'insert-site-secret': 'whoever came first has made it' },
}
