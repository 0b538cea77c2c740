// Orders, and the animals that they hold.

import { BEGINNING, TWIN_ORDER, type Statements } from './statements.ts'

export const orderStatements: Statements = {
  values: {
    'list-orders': (project) => [project, BEGINNING, 100],
    'list-managed-orders': (project) => [project, BEGINNING, 100],
    'list-managed-orders-by-status': (project) => [project, BEGINNING, 100, 'placed'],
    'list-orders-by-visitor': (project) => [project, '', 100],
    'find-managed-order': (project) => [project, TWIN_ORDER],
    'find-pet-names': (project, { petId }) => [project, [petId]],
    'find-pet-of-order': (project) => [project, TWIN_ORDER],
    'find-pet-status': (project, { petId }) => [project, petId],
    'lock-pet': (project, { petId }) => [project, petId],
    'set-pet-status': (project, { petId }) => [project, petId, 'sold'],
    'lock-pets': (project, { petId }) => [project, [petId]],
    'set-pet-statuses': (project, { petId }) => [project, [petId], 'sold'],
    'lock-placed-orders': (project, { petId }) => [project, [petId]],
    'count-orders-by-status': (project) => [project, 'placed', 100],
    'count-orders-by-day': (project) => [project, 56, 100],
    'open-orders-since': (project) => [project, new Date(0), 100],
    'count-sales-since': (project) => [project, new Date(0), 100],
    'lock-order': (project) => [project, TWIN_ORDER],
    'lock-placed-order': (project, { petId }) => [project, petId],
    'insert-order': (project, { lonePetId }) => [project, lonePetId, 'placed', 'Ben', 'ben@visitor.example', '', 60],
    'decide-order': (project) => [project, TWIN_ORDER, 'declined', 'petstore'],
  },
}
