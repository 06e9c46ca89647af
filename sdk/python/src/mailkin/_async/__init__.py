"""The client for asyncio. `_sync` is written from it by sdk/generate: what is changed here is changed there, too."""
