import { startPage } from '../start-page.tsx'
import { Toaster } from '../ui/toaster.tsx'
import { Tooltips } from '../ui/tooltips.tsx'
import { PartsPage } from './parts-page.tsx'
import './styles.css'

startPage(
  <>
    <PartsPage />
    <Tooltips />
    <Toaster />
  </>,
)
