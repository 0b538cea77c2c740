// All routes, listed by hand. A page is loaded on navigation; this file contains what all
// of them share. The first path segments are those of `dashboardPaths` in the contract,
// at which the server serves this dashboard.

import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { animalSearch } from './animals/search.ts'
import { isRefused, onSignedOut, query, queryClient } from './api.ts'
import { reviewSearch } from './imports/search.ts'
import { orderSearch } from './orders/search.ts'
import { retryWhenOnline } from './lazy-load.ts'
import { isOpenPath } from './open-paths.ts'
import { landingOf } from './projects/landing.ts'
import { Frame } from './shell/frame.tsx'
import { ProjectShell } from './shell/project-shell.tsx'
import { SettingsShell } from './shell/settings-shell.tsx'
import { Loading, NotThere, PageFailure } from './ui/states.tsx'

const root = createRootRoute({ component: Frame, notFoundComponent: NotThere, errorComponent: PageFailure })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const projects = await queryClient.fetchQuery(query('listProjects')).catch(noProjects)
    if (projects) throw redirect(landingOf(projects))
  },
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/front-page.tsx')),
    'FrontPage',
  ),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search): Next => pathIn(search['next']),
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/sign-in-page.tsx')),
    'SignInPage',
  ),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: 'sign-up',
  validateSearch: (search): Next => pathIn(search['next']),
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/sign-up-page.tsx')),
    'SignUpPage',
  ),
})
const signInLink = createRoute({
  getParentRoute: () => root,
  path: 'sign-in-link',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/sign-in-link-page.tsx')),
    'SignInLinkPage',
  ),
})
const recovery = createRoute({
  getParentRoute: () => root,
  path: 'recovery',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/recovery-page.tsx')),
    'RecoveryPage',
  ),
})
const secure = createRoute({
  getParentRoute: () => root,
  path: 'secure',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/link-pages.tsx')),
    'SecurePage',
  ),
})
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: 'confirm-email',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/link-pages.tsx')),
    'ConfirmEmailPage',
  ),
})
const undoEmail = createRoute({
  getParentRoute: () => root,
  path: 'undo-email',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/link-pages.tsx')),
    'UndoEmailPage',
  ),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitations',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/invitation-page.tsx')),
    'InvitationPage',
  ),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe/$token',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/unsubscribe-page.tsx')),
    'UnsubscribePage',
  ),
})
const sharedRecords = createRoute({
  getParentRoute: () => root,
  path: 'dns/$secret',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./domains/shared-page.tsx')),
    'SharedPage',
  ),
})
const account = createRoute({
  getParentRoute: () => root,
  path: 'account',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./accounts/account-page.tsx')),
    'AccountPage',
  ),
})
const projects = createRoute({
  getParentRoute: () => root,
  path: 'projects',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/projects-page.tsx')),
    'ProjectsPage',
  ),
})

const project = createRoute({ getParentRoute: () => root, path: 'projects/$project', component: ProjectShell })
const start = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./start/start-page.tsx')),
    'StartPage',
  ),
})
const animals = createRoute({
  getParentRoute: () => project,
  path: 'animals',
  validateSearch: animalSearch,
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./animals/animals-page.tsx')),
    'AnimalsPage',
  ),
})
const imports = createRoute({
  getParentRoute: () => project,
  path: 'animals/import',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./imports/choose-page.tsx')),
    'ChoosePage',
  ),
})
const importColumns = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/columns',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./imports/columns-page.tsx')),
    'ColumnsPage',
  ),
})
const importValues = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/values',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./imports/values-page.tsx')),
    'ValuesPage',
  ),
})
const importReview = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/review',
  validateSearch: reviewSearch,
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./imports/review-page.tsx')),
    'ReviewPage',
  ),
})
const importDone = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/done',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./imports/done-page.tsx')),
    'DonePage',
  ),
})
const animal = createRoute({
  getParentRoute: () => project,
  path: 'animals/$animal',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./animals/animal-page.tsx')),
    'AnimalPage',
  ),
})
const orders = createRoute({
  getParentRoute: () => project,
  path: 'orders',
  validateSearch: orderSearch,
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./orders/orders-page.tsx')),
    'OrdersPage',
  ),
})
const order = createRoute({
  getParentRoute: () => project,
  path: 'orders/$order',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./orders/order-page.tsx')),
    'OrderPage',
  ),
})
const site = createRoute({
  getParentRoute: () => project,
  path: 'site',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./site/site-page.tsx')),
    'SitePage',
  ),
})
const deployments = createRoute({
  getParentRoute: () => project,
  path: 'site/history',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./site/history-page.tsx')),
    'HistoryPage',
  ),
})
const activity = createRoute({
  getParentRoute: () => project,
  path: 'activity',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./activity/activity-page.tsx')),
    'ActivityPage',
  ),
})
const more = createRoute({
  getParentRoute: () => project,
  path: 'more',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./shell/more-page.tsx')),
    'MorePage',
  ),
})

const settings = createRoute({ getParentRoute: () => project, path: 'settings', component: SettingsShell })
const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/general-page.tsx')),
    'GeneralPage',
  ),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/members-page.tsx')),
    'MembersPage',
  ),
})
const notifications = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/notifications-page.tsx')),
    'NotificationsPage',
  ),
})
const requests = createRoute({
  getParentRoute: () => settings,
  path: 'requests',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./orders/settings-page.tsx')),
    'RequestSettingsPage',
  ),
})
const plan = createRoute({
  getParentRoute: () => settings,
  path: 'plan',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./projects/plan-page.tsx')),
    'PlanPage',
  ),
})
const domains = createRoute({
  getParentRoute: () => settings,
  path: 'domains',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./domains/domains-page.tsx')),
    'DomainsPage',
  ),
})
const redirects = createRoute({
  getParentRoute: () => settings,
  path: 'domains/redirects',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./domains/redirects-page.tsx')),
    'RedirectsPage',
  ),
})
const domain = createRoute({
  getParentRoute: () => settings,
  path: 'domains/$hostname',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./domains/domain-page.tsx')),
    'DomainPage',
  ),
})
const keys = createRoute({
  getParentRoute: () => settings,
  path: 'keys',
  component: lazyRouteComponent(
    retryWhenOnline(() => import('./keys/keys-page.tsx')),
    'KeysPage',
  ),
})

const tree = root.addChildren([
  home,
  signIn,
  signInLink,
  signUp,
  recovery,
  secure,
  confirmEmail,
  undoEmail,
  invitation,
  unsubscribe,
  sharedRecords,
  account,
  projects,
  project.addChildren([
    start,
    animals,
    imports,
    importColumns,
    importValues,
    importReview,
    importDone,
    animal,
    orders,
    order,
    site,
    deployments,
    activity,
    more,
    settings.addChildren([general, members, requests, notifications, plan, domains, redirects, domain, keys]),
  ]),
])

export const router = createRouter({
  routeTree: tree,
  defaultPendingComponent: Loading,
  defaultErrorComponent: PageFailure,
  defaultNotFoundComponent: NotThere,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

/** A person whose session has ended signs in again, and then returns to the same page. */
onSignedOut(() => {
  const { pathname, href } = router.state.location
  if (isOpenPath(pathname)) return
  void router.navigate({ to: '/sign-in', search: pathname === '/projects' ? {} : { next: href }, replace: true })
})

/** A person who is not signed in has no list. Any other failure is shown by the page of the list. */
const noProjects = (error: unknown) => (isRefused(error, 'not_signed_in') ? undefined : [])

type Next = { next?: string | undefined }

/**
 * Only a path of our own: a redirect target must not come from outside. Anything else is set to undefined
 * explicitly, since an omitted key is left as it came.
 */
function pathIn(value: unknown): Next {
  const isPath = typeof value === 'string' && value.startsWith('/') && URL.canParse(value, location.origin)
  return { next: isPath && new URL(value, location.origin).origin === location.origin ? value : undefined }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
