import { json, type About } from '../description.ts'

export const about = {
  head: 'Memory per hostname, time per lookup and start-up time of the host table of an edge',
  proves: 'A hostname takes at most 400 bytes, and the lookup of a popular hostname at most 3 µs.',
  inCi: null,
  options: {
    names: {
      type: 'string',
      value: 'N',
      default: '100000',
      help: 'hostnames; the largest table has ten times as many, at most a million',
    },
    json,
  },
} as const satisfies About
