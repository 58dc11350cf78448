import { usePageTitle } from '../../ui/use-page-title.ts'

export function NotFoundPage() {
  usePageTitle('404')
  return (
    <main className="grid flex-1 place-items-center">
      <h1 className="text-[64px]/none font-semibold tracking-tight text-muted">404</h1>
    </main>
  )
}
