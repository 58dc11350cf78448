import { defineConfig, mergeConfig } from 'vite'
import { pageChunks } from './build/page-chunks.ts'
import { pageConfig } from './build/page-config.ts'

export default defineConfig(mergeConfig(pageConfig('.', 'dist'), pageChunks()))
