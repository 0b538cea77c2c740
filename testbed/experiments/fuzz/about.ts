import { json, type About } from '../description.ts'

export const about = {
  head: 'Requests generated from the OpenAPI documents, valid, invalid and hostile',
  proves: 'No request causes a 5xx, and every response matches the OpenAPI document.',
  inCi: { by: 'e2e/fuzz.test.ts', size: '30,000 requests at /v1 and 20,000 at /platform/v1' },
  options: {
    requests: { type: 'string', value: 'N', default: '50000', help: 'requests at /v1' },
    platform: { type: 'string', value: 'N', help: 'send this many requests to /platform/v1 instead' },
    seed: { type: 'string', value: 'N', help: 'repeat a run (default: random)' },
    url: {
      type: 'string',
      value: 'URL',
      help: 'a service that runs already, with quotas out of reach; it gets animals added (default: one of its own)',
    },
    key: { type: 'string', value: 'KEY', help: 'API key for --url' },
    control: {
      type: 'boolean',
      default: false,
      help: 'negative control: a broken server, every fault of which must be found',
    },
    json,
  },
} as const satisfies About
