// A status in one word. Never by colour alone.

import type { ReactNode } from 'react'

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'plain'

export const Badge = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
)
