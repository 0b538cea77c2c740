// All texts of the dashboard, except those that the server returns. One language now;
// another one is a folder next to `en` with the same shape.

import { account } from './en/account.ts'
import { activity } from './en/activity.ts'
import { animals } from './en/animals.ts'
import { common } from './en/common.ts'
import { domains } from './en/domains.ts'
import { keys } from './en/keys.ts'
import { notifications } from './en/notifications.ts'
import { orders } from './en/orders.ts'
import { projects } from './en/projects.ts'
import { redirects } from './en/redirects.ts'
import { site } from './en/site.ts'
import { start } from './en/start.ts'

export const texts = {
  account,
  activity,
  animals,
  common,
  domains,
  keys,
  notifications,
  orders,
  projects,
  redirects,
  site,
  start,
}
