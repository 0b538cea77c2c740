// The certificate that visitors get: its issuer, its validity, and that it is renewed
// automatically.

import type { Domain } from '@petstore/contract/platform/domain-shapes'
import { texts } from '../texts/texts.ts'
import { Section } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'

const { certificate: words } = texts.domains

export const Certificate = ({ certificate }: Pick<Domain, 'certificate'>) => (
  <Section title={words.title}>
    {certificate === null ? (
      <p className="quiet">{words.none}</p>
    ) : (
      <>
        <dl className="certificate-facts">
          <div>
            <dt>{words.authority}</dt>
            <dd>{certificate.authority}</dd>
          </div>
          <div>
            <dt>{words.validUntil}</dt>
            <dd>
              <Time at={certificate.validUntil} />
            </dd>
          </div>
          <div>
            <dt>{words.renewsAt}</dt>
            <dd>
              <Time at={certificate.renewsAt} />
            </dd>
          </div>
        </dl>
        <p className="quiet small">{words.byUs}</p>
      </>
    )}
  </Section>
)
