// The caps of the tables that an installation has once: what its operator and its migrations write, and what is counted
// for all projects together. Pure.

import { capsPer, constant, operator, rate } from './cap.ts'

export const capsOfInstallation = capsPer('installation', {
  schema_migrations: [operator(1000), 400, 'petstore migrate', 'never'],
  edge_directory: [operator(1000), 1100, 'petstore edges add', 'never: a revoked edge stays listed'],
  route_clock: [constant(1), 100, 'primary key', 'never'],
  mail_secrets: [constant(3), 150, 'one for each purpose', 'never'],
  mail_relay_failures: [constant(2), 300, 'one for each queue', 'when the relay accepts a mail'],
  mail_counts: [rate(10 * 86_400, 2), 400, 'SMTP_PER_SECOND'],
  mail_suppressions: [
    rate(10 * 86_400, 365),
    250,
    'one for each address that mail came back from',
    'when it is verified',
  ],
  revocation_directory: [rate(1200 * 1440, 1 / 24), 250, 'limits of requests'],
  authority_accounts: [operator(10), 8000, 'one for each of ACME_DIRECTORIES', 'never'],
  authority_uses: [rate(100_000, 8), 300, 'ACME_ORDERS_PER_3_HOURS'],
  certificate_clients: [rate(2400, 8), 300, 'ACME_ORDERS_PER_3_HOURS'],
})
