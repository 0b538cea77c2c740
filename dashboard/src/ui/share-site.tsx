// The address of the site, to be passed on: copied, or as a QR code for a poster, a window, a card. The dialog and the
// code are loaded when the button is pressed.

import { Button } from '@mantine/core'
import { QrCode } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { retryWhenOnline } from '../lazy-load.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from './icon.tsx'

const { shareSite: words } = texts.common

const ShareSiteDialog = lazy(
  retryWhenOnline(async () => ({ default: (await import('./share-site-dialog.tsx')).ShareSiteDialog })),
)

export function ShareSite({ address, size }: { address: string; size?: 'xs' }) {
  const [isOpen, setIsOpen] = useState(false)
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        {...(size && { size })}
        leftSection={<Icon of={QrCode} size={18} />}
        onClick={() => {
          setWasOpened(true)
          setIsOpen(true)
        }}
      >
        {words.does}
      </Button>
      {wasOpened && (
        <Suspense>
          <ShareSiteDialog address={address} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
