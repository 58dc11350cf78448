import { Fields } from './fields.tsx'
import { OpenedParts } from './opened.tsx'
import { Views } from './views.tsx'

/** React component: development page that shows all UI components in all states, for a visual check and for screenshots. */
export const PartsPage = () => (
  <main className="mx-auto flex w-full max-w-(--page-width) flex-col gap-8 px-6 py-6 max-sm:px-3">
    <Views />
    <Fields />
    <OpenedParts />
  </main>
)
