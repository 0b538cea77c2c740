import { Button } from '@mantine/core'
import { Download } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { Copy } from './copy.tsx'
import { Dialog } from './dialog.tsx'
import { downloadFile } from './download.ts'
import { Icon } from './icon.tsx'
import type { LateDialogProps } from './late-dialog.tsx'
import { qrCodeOf, qrFileOf } from './qr-code.ts'
import './share-site.css'

const { shareSite: words } = texts.common

export function ShareSiteDialog({ address, isOpen, onClose }: LateDialogProps & { address: string }) {
  const code = qrCodeOf(address)
  return (
    <Dialog title={words.title} isOpen={isOpen} onClose={onClose}>
      <div className="stack share-site">
        <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={words.code(address)}>
          <path d={code.path} />
        </svg>
        <p className="plain">
          <strong>{address}</strong>
        </p>
        <p className="quiet plain">{words.help}</p>
        <div className="row">
          <Button
            leftSection={<Icon of={Download} size={18} />}
            onClick={() => downloadFile(words.file, new Blob([qrFileOf(code)], { type: 'image/svg+xml' }))}
          >
            {words.download}
          </Button>
          <Copy value={address} what={words.address} label={words.copy} />
        </div>
      </div>
    </Dialog>
  )
}
