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

/** It is loaded on navigation. */
const page: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(retryWhenOnline(load), name)

const root = createRootRoute({ component: Frame, notFoundComponent: NotThere, errorComponent: PageFailure })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    const projects = await queryClient.fetchQuery(query('listProjects')).catch(noProjects)
    if (projects) throw redirect(landingOf(projects))
  },
  component: page(() => import('./accounts/front-page.tsx'), 'FrontPage'),
})
const signIn = createRoute({
  getParentRoute: () => root,
  path: 'sign-in',
  validateSearch: (search): Next => pathIn(search['next']),
  component: page(() => import('./accounts/sign-in-page.tsx'), 'SignInPage'),
})
const signUp = createRoute({
  getParentRoute: () => root,
  path: 'sign-up',
  validateSearch: (search): Next => pathIn(search['next']),
  component: page(() => import('./accounts/sign-up-page.tsx'), 'SignUpPage'),
})
const signInLink = createRoute({
  getParentRoute: () => root,
  path: 'sign-in-link',
  component: page(() => import('./accounts/sign-in-link-page.tsx'), 'SignInLinkPage'),
})
const recovery = createRoute({
  getParentRoute: () => root,
  path: 'recovery',
  component: page(() => import('./accounts/recovery-page.tsx'), 'RecoveryPage'),
})
const secure = createRoute({
  getParentRoute: () => root,
  path: 'secure',
  component: page(() => import('./accounts/link-pages.tsx'), 'SecurePage'),
})
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: 'confirm-email',
  component: page(() => import('./accounts/link-pages.tsx'), 'ConfirmEmailPage'),
})
const undoEmail = createRoute({
  getParentRoute: () => root,
  path: 'undo-email',
  component: page(() => import('./accounts/link-pages.tsx'), 'UndoEmailPage'),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: 'invitations',
  component: page(() => import('./accounts/invitation-page.tsx'), 'InvitationPage'),
})
const unsubscribe = createRoute({
  getParentRoute: () => root,
  path: 'unsubscribe/$token',
  component: page(() => import('./projects/unsubscribe-page.tsx'), 'UnsubscribePage'),
})
const sharedRecords = createRoute({
  getParentRoute: () => root,
  path: 'dns/$secret',
  component: page(() => import('./domains/shared-page.tsx'), 'SharedPage'),
})
const account = createRoute({
  getParentRoute: () => root,
  path: 'account',
  component: page(() => import('./accounts/account-page.tsx'), 'AccountPage'),
})
const projects = createRoute({
  getParentRoute: () => root,
  path: 'projects',
  component: page(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
})

const project = createRoute({ getParentRoute: () => root, path: 'projects/$project', component: ProjectShell })
const start = createRoute({
  getParentRoute: () => project,
  path: '/',
  component: page(() => import('./start/start-page.tsx'), 'StartPage'),
})
const animals = createRoute({
  getParentRoute: () => project,
  path: 'animals',
  validateSearch: animalSearch,
  component: page(() => import('./animals/animals-page.tsx'), 'AnimalsPage'),
})
const imports = createRoute({
  getParentRoute: () => project,
  path: 'animals/import',
  component: page(() => import('./imports/choose-page.tsx'), 'ChoosePage'),
})
const importColumns = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/columns',
  component: page(() => import('./imports/columns-page.tsx'), 'ColumnsPage'),
})
const importValues = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/values',
  component: page(() => import('./imports/values-page.tsx'), 'ValuesPage'),
})
const importReview = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/review',
  validateSearch: reviewSearch,
  component: page(() => import('./imports/review-page.tsx'), 'ReviewPage'),
})
const importDone = createRoute({
  getParentRoute: () => project,
  path: 'animals/import/$import/done',
  component: page(() => import('./imports/done-page.tsx'), 'DonePage'),
})
const animal = createRoute({
  getParentRoute: () => project,
  path: 'animals/$animal',
  component: page(() => import('./animals/animal-page.tsx'), 'AnimalPage'),
})
const orders = createRoute({
  getParentRoute: () => project,
  path: 'requests',
  validateSearch: orderSearch,
  component: page(() => import('./orders/orders-page.tsx'), 'OrdersPage'),
})
const order = createRoute({
  getParentRoute: () => project,
  path: 'requests/$order',
  component: page(() => import('./orders/order-page.tsx'), 'OrderPage'),
})
/** Where requests were until their address said what the screen says; mails that were sent still lead there. */
const formerOrders = createRoute({
  getParentRoute: () => project,
  path: 'orders/{-$order}',
  beforeLoad: ({ params: { order, ...params }, search }) => {
    throw order === undefined
      ? redirect({ to: '/projects/$project/requests', params, search, replace: true })
      : redirect({ to: '/projects/$project/requests/$order', params: { ...params, order }, replace: true })
  },
})
const site = createRoute({
  getParentRoute: () => project,
  path: 'site',
  component: page(() => import('./site/site-page.tsx'), 'SitePage'),
})
const deployments = createRoute({
  getParentRoute: () => project,
  path: 'site/history',
  component: page(() => import('./site/history-page.tsx'), 'HistoryPage'),
})
const activity = createRoute({
  getParentRoute: () => project,
  path: 'activity',
  component: page(() => import('./activity/activity-page.tsx'), 'ActivityPage'),
})
const more = createRoute({
  getParentRoute: () => project,
  path: 'more',
  component: page(() => import('./shell/more-page.tsx'), 'MorePage'),
})

const settings = createRoute({ getParentRoute: () => project, path: 'settings', component: SettingsShell })
const general = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: page(() => import('./projects/general-page.tsx'), 'GeneralPage'),
})
const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: page(() => import('./projects/members-page.tsx'), 'MembersPage'),
})
const notifications = createRoute({
  getParentRoute: () => settings,
  path: 'notifications',
  component: page(() => import('./projects/notifications-page.tsx'), 'NotificationsPage'),
})
const requests = createRoute({
  getParentRoute: () => settings,
  path: 'requests',
  component: page(() => import('./orders/settings-page.tsx'), 'RequestSettingsPage'),
})
const plan = createRoute({
  getParentRoute: () => settings,
  path: 'plan',
  component: page(() => import('./projects/plan-page.tsx'), 'PlanPage'),
})
const domains = createRoute({
  getParentRoute: () => settings,
  path: 'domains',
  component: page(() => import('./domains/domains-page.tsx'), 'DomainsPage'),
})
const redirects = createRoute({
  getParentRoute: () => settings,
  path: 'domains/redirects',
  component: page(() => import('./domains/redirects-page.tsx'), 'RedirectsPage'),
})
const domain = createRoute({
  getParentRoute: () => settings,
  path: 'domains/$hostname',
  component: page(() => import('./domains/domain-page.tsx'), 'DomainPage'),
})
const keys = createRoute({
  getParentRoute: () => settings,
  path: 'keys',
  component: page(() => import('./keys/keys-page.tsx'), 'KeysPage'),
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
    formerOrders,
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
