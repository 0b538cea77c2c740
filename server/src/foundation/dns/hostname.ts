// The form of a hostname that a project can add: what its characters alone decide. The name
// reader (domains/naming) builds on it and also consults the tables: public suffixes, Unicode
// and names of the platform. The protocol between control plane and edges, and the edge itself,
// check the form only, so they accept every name that can be added.
//
// An underscore is not accepted anywhere. DNS allows it, and records such as `_petstore.shop.com`
// use it, but certificate authorities may not certify a name that contains one, so no project can
// add it, and no request or response about a hostname can rightly contain it.

import { HOSTNAME_LENGTH_MAX } from '@petstore-platform/contract/platform/domain-shapes'

export const LABEL_LENGTH_MAX = 63
export const LABELS_MAX = 10

// Two hyphens in the third and fourth position are reserved for `xn--`.
const label = `(?!(?!xn)..--)[a-z0-9](?:[a-z0-9-]{0,${LABEL_LENGTH_MAX - 2}}[a-z0-9])?`
const labelForm = new RegExp(`^${label}$`)
// A name that ends in a number, decimal or hexadecimal, is an address to every URL parser.
const number = String.raw`(?:\d+|0x[0-9a-f]*)`
const hostnameForm = new RegExp(
  `^(?=.{1,${HOSTNAME_LENGTH_MAX}}$)(?:${label}\\.){1,${LABELS_MAX - 1}}(?!${number}$)${label}$`,
)

/** Lower case, A-labels, without the trailing dot, and with a dot inside. */
export const isHostname = (value: unknown): value is string => typeof value === 'string' && hostnameForm.test(value)

export const isHostnameLabel = (text: string): boolean => labelForm.test(text)

// Relations between DNS names. Names are lower case and without the last dot.

export const isWithin = (name: string, zone: string): boolean =>
  zone === '' || name === zone || name.endsWith(`.${zone}`)

export const isBelow = (name: string, zone: string): boolean => name !== zone && isWithin(name, zone)

/** The name and all its ancestors, the longest first, without the root. */
export const namesUpward = (name: string): string[] =>
  name.split('.').map((_, index, labels) => labels.slice(index).join('.'))
