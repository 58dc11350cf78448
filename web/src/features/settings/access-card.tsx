import { Link } from 'wouter'
import { paths } from '../../paths.ts'
import { buttonLook } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import * as words from '../../words/messages.js'

/** React component: settings card for admins with a link to the settings page "Access" (groups and grants of tags). */
export const AccessCard = () => (
  <Card id="access" title={words.access()} description={words.settings_access_about()}>
    <Link href={paths.access} className={buttonLook('plain')}>
      {words.access_open()}
    </Link>
  </Card>
)
