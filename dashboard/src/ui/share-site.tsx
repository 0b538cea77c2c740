// The address of the site, to be passed on: copied, or as a QR code for a poster, a window, a card. The dialog and the
// code are loaded when the button is pressed.

import { Button } from '@mantine/core'
import { QrCode } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'
import { lateDialog } from './late-dialog.tsx'

const { shareSite: words } = texts.common

const useShareSiteDialog = lateDialog(async () => (await import('./share-site-dialog.tsx')).ShareSiteDialog)

export function ShareSite({ address }: { address: string }) {
  const { open, dialog } = useShareSiteDialog({ address })
  return (
    <>
      <Button variant="default" leftSection={<Icon of={QrCode} size={18} />} onClick={open}>
        {words.action}
      </Button>
      {dialog}
    </>
  )
}
