// The first parts of the addresses that belong to the dashboard, '' being the front
// door. The server answers these with the dashboard's page, and its router has pages
// below these and no others: both compare themselves with this list. Nothing of an
// interface (`v1`, `platform`, `docs`, `health`) can be among them.

export const dashboardPaths = ['', 'sign-in', 'sign-up', 'invitations', 'dns', 'account', 'projects'] as const

export type DashboardPath = (typeof dashboardPaths)[number]
