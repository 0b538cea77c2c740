// Requests that wait for their visitors, and the open ones of a visitor.

import { REQUEST, REQUEST_DIGEST, TWIN_ORDER, type Statements } from './statements.ts'

export const requestStatements: Statements = {
  values: {
    'insert-request-confirmation': (project, { lonePetId }) => [
      project,
      'req_000000000000000000000002',
      Buffer.alloc(32, 2),
      lonePetId,
      'Ben',
      'ben@visitor.example',
      '',
      '[]',
      'en',
      60,
      '',
    ],
    'lock-requests': (project) => [project],
    'find-request-confirmation': (project) => [project, REQUEST],
    'find-request-confirmation-by-digest': (project) => [project, REQUEST_DIGEST],
    'end-request-confirmation': (project) => [project, REQUEST, TWIN_ORDER],
    'delete-request-confirmation': (project) => [project, REQUEST],
    'set-order-secret': (project) => [project, TWIN_ORDER, Buffer.alloc(32, 3)],
    'count-request-confirmations': (project) => [project, 'ben@visitor.example'],
    'count-open-orders-of-contact': (project, { petId }) => [project, '', petId],
  },
}
