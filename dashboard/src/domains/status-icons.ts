// The sign of a domain in a list: by its status, in the colour of its badge.

import type { ShownStatus } from '@petstore-platform/contract/platform/domain-shapes'
import { CirclePause, Globe, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react'

export const statusIcons: Readonly<Record<ShownStatus, LucideIcon>> = {
  pending_dns: Hourglass,
  verifying: Hourglass,
  action_required: TriangleAlert,
  waiting: Hourglass,
  issuing: Hourglass,
  live: Globe,
  degraded: TriangleAlert,
  paused: CirclePause,
  dormant: CirclePause,
}
