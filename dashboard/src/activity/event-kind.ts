// What an audit event is about, as an icon. An action that an older dashboard does not know yet has the general one.

import {
  Activity,
  FileSpreadsheet,
  Globe,
  Image,
  Inbox,
  KeyRound,
  LayoutTemplate,
  Mail,
  PawPrint,
  Rocket,
  Settings,
  Signpost,
  Tag,
  UserPlus,
  Users,
  Wallet,
  type LucideIcon,
} from 'lucide-react'
import type { Tone } from '../ui/badge.tsx'

type EventKind = { icon: LucideIcon; tone: Tone }

/** By the first word of the action. */
const kinds: Readonly<Record<string, EventKind>> = {
  project: { icon: Settings, tone: 'plain' },
  plan: { icon: Wallet, tone: 'plain' },
  owner: { icon: Users, tone: 'plum' },
  visitor: { icon: Mail, tone: 'plain' },
  member: { icon: Users, tone: 'plum' },
  invitation: { icon: UserPlus, tone: 'plum' },
  key: { icon: KeyRound, tone: 'warn' },
  animal: { icon: PawPrint, tone: 'good' },
  animals: { icon: PawPrint, tone: 'good' },
  profile: { icon: PawPrint, tone: 'good' },
  photo: { icon: Image, tone: 'good' },
  photos: { icon: Image, tone: 'good' },
  category: { icon: Tag, tone: 'good' },
  import: { icon: FileSpreadsheet, tone: 'good' },
  order: { icon: Inbox, tone: 'warn' },
  request: { icon: Settings, tone: 'plain' },
  site: { icon: LayoutTemplate, tone: 'wait' },
  logo: { icon: Image, tone: 'wait' },
  deployment: { icon: Rocket, tone: 'wait' },
  domain: { icon: Globe, tone: 'wait' },
  primary: { icon: Globe, tone: 'wait' },
  redirects: { icon: Signpost, tone: 'wait' },
}
const unknown: EventKind = { icon: Activity, tone: 'plain' }
/** What went wrong is seen at a glance; its words say it too. */
const failed = new Set(['import_failed', 'deployment_failed', 'order_expired'])

export function eventKindOf(action: string): EventKind {
  const word = action.split('_', 1)[0] ?? ''
  const kind = Object.hasOwn(kinds, word) ? (kinds[word] ?? unknown) : unknown
  return failed.has(action) ? { ...kind, tone: 'bad' } : kind
}
