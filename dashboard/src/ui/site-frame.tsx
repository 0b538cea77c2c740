// A small picture of the site: its preview, rendered by the server and drawn smaller. A picture only: nothing in it can
// be pressed, reached by keyboard or read aloud.

import { useElementSize } from '@mantine/hooks'
import { client } from '../api.ts'
import './site-frame.css'

/** What the page is laid out for; its height follows from the proportions in the style sheet. */
const WIDTH = 1280

/** Drawn again for another `version`. */
export function SiteFrame({ slug, version, title }: { slug: string; version: string; title: string }) {
  const { ref, width } = useElementSize()
  return (
    <div ref={ref} className="site-frame" inert>
      <iframe
        key={version}
        title={title}
        src={client.addressOf('previewSite', { project: slug })}
        sandbox=""
        tabIndex={-1}
        loading="lazy"
        style={{ transform: `scale(${width / WIDTH})` }}
      />
    </div>
  )
}
