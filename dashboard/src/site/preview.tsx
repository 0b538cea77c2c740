// The preview of the draft, rendered by the server like the site. When the draft changes,
// a second frame loads behind the first one and replaces it once it is loaded, so that
// nothing flickers.

import { useElementSize } from '@mantine/hooks'
import { Lock, Monitor, Smartphone } from 'lucide-react'
import { useState, type RefObject } from 'react'
import { client } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import * as texts from '../texts/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Segmented } from '../ui/segmented.tsx'
import './preview.css'

const words = texts.site
/** What a page is laid out for; it is drawn smaller, in the proportions that the style sheet reserves. */
const sizes = { desk: { width: 1280, height: 1000 }, phone: { width: 390, height: 760 } } as const
export type Width = keyof typeof sizes
const choices = {
  desk: { label: words.widths.desk, icon: Monitor },
  phone: { label: words.widths.phone, icon: Smartphone },
}

/** The width that the person's own screen has. */
export const firstWidth = (): Width => (window.matchMedia('(max-width: 48rem)').matches ? 'phone' : 'desk')

export const WidthChoice = ({ chosen, onChoose }: { chosen: Width; onChoose: (width: Width) => void }) => (
  <Segmented label={words.width} choices={choices} chosen={chosen} onChoose={onChoose} className="site-widths" />
)

type PreviewProps = { version: number; chosen: Width; place: RefObject<HTMLElement | null> }

export function Preview({ version, chosen, place }: PreviewProps) {
  const { slug, siteUrl } = useProject()
  const [shown, setShown] = useState(version)
  const { ref, width: room } = useElementSize()
  const { width, height } = sizes[chosen]
  // Changes of the animals are not changes of the draft; a frame is created for each version.
  const address = client.addressOf('previewSite', { project: slug })
  return (
    <section className="stack tight site-preview" aria-label={words.preview} ref={place} tabIndex={-1}>
      <h2 className="visually-hidden">{words.preview}</h2>
      <div className={`site-device ${chosen}`}>
        <div className="site-device-bar" aria-hidden>
          <i />
          <i />
          <i />
          <span>
            <Icon of={Lock} size={14} />
            <b className="cut">{new URL(siteUrl).host}</b>
          </span>
        </div>
        <div ref={ref} className="site-window">
          {[...new Set([shown, version])].map((drawn) => (
            <iframe
              key={drawn}
              title={words.preview}
              src={`${address}#${drawn}`}
              sandbox=""
              className={drawn === shown ? 'shown' : 'coming'}
              style={{ width, height, transform: `scale(${room / width})` }}
              onLoad={() => drawn === version && setShown(drawn)}
            />
          ))}
        </div>
      </div>
      <p className="quiet tiny plain">{words.previewNote}</p>
    </section>
  )
}
