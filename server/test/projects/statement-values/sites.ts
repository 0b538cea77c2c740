// What visitors to a site see, and what its forms are signed with.

import { BEGINNING, PHOTOS, TWIN_PET, type Statements } from './statements.ts'

/** No filter. */
const everything = [[], null, '', null, null, null, null, false, false, false]

export const siteStatements: Statements = {
  values: {
    'site-animals-before': (project) => [project, BEGINNING, 100, 100, ...everything, 'available'],
    'site-animals-after': (project) => [project, 0, 100, 100, ...everything, 'available'],
    'site-animals-by-waiting': (project) => [project, 0, 100, 100, ...everything, '0001-01-01', 0],
    'find-site-animals': (project) => [project, '', 100],
    'list-found-site-animals': (project, { petId }) => [
      project,
      [petId, TWIN_PET],
      'available',
      100,
      ...everything,
      'before',
      '9999-12-31',
      BEGINNING,
    ],
    'site-featured-animals': (project) => [project, 100, [], 100],
    'site-reserved-animals': (project) => [project, 100, [], 100],
    'site-card-profiles': (project, { petId }) => [project, [petId, TWIN_PET]],
    'site-profiles': (project, { petId }) => [project, [petId, TWIN_PET]],
    'site-photos': (project, { petId }) => [project, [petId, TWIN_PET]],
    'site-category-counts': (project) => [project, 100],
    'site-animal': (project) => [project, TWIN_PET],
    'site-photo': (project) => [project, PHOTOS.norths, 1, 320, []],
    'site-secret': (project) => [project],
    'insert-site-secret': (project) => [project, Buffer.alloc(32, 7)],
  },
  harmless: {
    'site-photo 2': 'the photo is of the project, and so is its animal',
    'site-photo 3': 'the photo is of the project, and so is the profile of its animal',
  },
  idle: { 'insert-site-secret': 'whoever came first has made it' },
}
