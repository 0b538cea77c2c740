// Packages that a process loads at their first use. Together they take a third of the time in which a role starts, and many
// processes never need them.

import { createRequire } from 'node:module'

type Packages = {
  '@peculiar/x509': typeof import('@peculiar/x509')
  '@simplewebauthn/server': typeof import('@simplewebauthn/server')
  '@simplewebauthn/server/helpers': typeof import('@simplewebauthn/server/helpers')
  'acme-client': typeof import('acme-client')
  nodemailer: typeof import('nodemailer')
  'nodemailer/lib/smtp-connection': typeof import('nodemailer/lib/smtp-connection').default
}

const require = createRequire(import.meta.url)

/** Later calls return the same. */
export function onDemand<Name extends keyof Packages>(name: Name): () => Packages[Name] {
  let loaded: Packages[Name] | undefined
  return () => (loaded ??= require(name) as Packages[Name])
}
