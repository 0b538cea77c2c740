// A number with its name and, if there is enough to draw, its chart.

import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type StatProps = { of: LucideIcon; name: string; value: ReactNode; change?: string | undefined; children?: ReactNode }

export const Stat = ({ of, name, value, change, children }: StatProps) => (
  <>
    <span className="stat-name">
      <Icon of={of} size={16} />
      {name}
    </span>
    <span className="stat-value">
      {value} {change !== undefined && <span className="stat-change">{change}</span>}
    </span>
    {children}
  </>
)
