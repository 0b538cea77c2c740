// The buttons of a dialog or a form: its own action, or cancelling.

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import * as texts from '../texts/texts.ts'

export const OrCancel = ({ onCancel, children }: { onCancel: () => void; children: ReactNode }) => (
  <div className="row">
    {children}
    <Button variant="default" onClick={onCancel}>
      {texts.common.cancel}
    </Button>
  </div>
)
