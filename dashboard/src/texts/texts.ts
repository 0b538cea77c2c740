// All texts of the dashboard, except those that the server returns. One language now; another one is a folder next to
// `en` with the same shape. Imported as a namespace, so that a page loads only the texts that it uses.

export { account } from './en/account.ts'
export { activity } from './en/activity.ts'
export { animals } from './en/animals.ts'
export { common } from './en/common.ts'
export { domains } from './en/domains.ts'
export { keys } from './en/keys.ts'
export { notifications } from './en/notifications.ts'
export { orders } from './en/orders.ts'
export { photos } from './en/photos.ts'
export { profiles } from './en/profiles.ts'
export { projects } from './en/projects.ts'
export { redirects } from './en/redirects.ts'
export { site } from './en/site.ts'
export { start } from './en/start.ts'
export { storeKind } from './en/store-kind.ts'
