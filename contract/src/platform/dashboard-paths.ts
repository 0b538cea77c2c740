// The first path segments that belong to the dashboard; '' is its start page. The server
// responds to these with the dashboard's page, and the dashboard's router has pages below these
// and no others: tests compare both with this list. No path of an API (`v1`, `platform`,
// `docs`, `health`) can be among them.

export const dashboardPaths = [
  '',
  'sign-in',
  'sign-in-link',
  'sign-up',
  'recovery',
  'secure',
  'confirm-email',
  'undo-email',
  'invitations',
  'unsubscribe',
  'dns',
  'account',
  'projects',
] as const

export type DashboardPath = (typeof dashboardPaths)[number]
