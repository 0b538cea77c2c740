// The preview of the draft, rendered by the server like the site. When the draft changes,
// a second frame loads behind the first one and replaces it once it is loaded, so that
// nothing flickers.

import { Button } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useState, type RefObject } from 'react'
import { client } from '../api.ts'
import { useProject } from '../shell/project-context.ts'
import { texts } from '../texts/texts.ts'
import './preview.css'

const words = texts.site
/** What a page is laid out for; it is drawn smaller where there is less room. */
const sizes = { phone: { width: 390, height: 760 }, desk: { width: 1280, height: 1000 } } as const
type Width = keyof typeof sizes

export function Preview({ version, place }: { version: number; place: RefObject<HTMLElement | null> }) {
  const { slug } = useProject()
  const [chosen, setChosen] = useState<Width>('phone')
  const [shown, setShown] = useState(version)
  const { ref, width: room } = useElementSize()
  const { width, height } = sizes[chosen]
  const scale = room === 0 ? 1 : Math.min(1, room / width)
  // Changes of the animals are not changes of the draft; a frame is created for each version.
  const address = client.addressOf('previewSite', { project: slug })
  return (
    <section className="stack site-preview" aria-label={words.preview} ref={place} tabIndex={-1}>
      <div className="row apart">
        <h2>{words.preview}</h2>
        <div className="row site-preview-widths" role="group" aria-label={words.width}>
          {(Object.keys(sizes) as Width[]).map((name) => (
            <Button
              key={name}
              size="compact-sm"
              variant={name === chosen ? 'light' : 'default'}
              aria-pressed={name === chosen}
              onClick={() => setChosen(name)}
            >
              {words.widths[name]}
            </Button>
          ))}
        </div>
      </div>
      <div ref={ref} className="site-preview-room" style={{ height: height * scale }}>
        <div className="site-preview-window" style={{ width: width * scale, height: height * scale }}>
          {[...new Set([shown, version])].map((drawn) => (
            <iframe
              key={drawn}
              title={words.preview}
              src={`${address}#${drawn}`}
              sandbox=""
              className={drawn === shown ? 'shown' : 'coming'}
              style={{ width, height, transform: `scale(${scale})` }}
              onLoad={() => drawn === version && setShown(drawn)}
            />
          ))}
        </div>
      </div>
      <p className="quiet small site-line">{words.previewNote}</p>
    </section>
  )
}
