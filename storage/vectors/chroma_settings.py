"""Chroma's settings and its client for a server, as far as they have to be ours. Importing this loads Chroma's library."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from chromadb.api.client import Client
from chromadb.auth import UserIdentity
from chromadb.config import Settings
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from storage.vectors.chroma_faults import VectorsDown

TIMEOUT_S: Final = 20.0
"""So long a server may take; a query over a hundred thousand vectors takes about one second."""


class OwnSettings(Settings):
    """What is said here, and nothing that the environment or a `.env` file says."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],  # noqa: ARG003
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        dotenv_settings: PydanticBaseSettingsSource,  # noqa: ARG003
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is said here, of all these."""
        return (init_settings,)


def quiet(api: str, **more: object) -> Settings:
    """Settings that say nothing to anybody.

    Args:
        api: Chroma's class that does the work.
        more: settings of Chroma's.
    """
    values: dict[str, Any] = {
        "chroma_api_impl": api,
        "anonymized_telemetry": False,
        "chroma_otel_collection_endpoint": "",
        **more,
    }
    return OwnSettings(**values)


class StraightClient(Client):
    """Speaks to the server named and through no proxy that the environment names, and waits for ever for nobody.

    Chroma opens connections of its own twice while it is made, for the server and for a look at tenant and database;
    each is replaced before a word goes through it.

    Args:
        url: where the server answers.
    """

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        secure, host = parts.scheme == "https", parts.hostname or ""
        settings = quiet(
            "chromadb.api.fastapi.FastAPI",
            chroma_server_host=f"[{host}]" if ":" in host else host,
            chroma_server_http_port=parts.port or (443 if secure else 80),
            chroma_server_ssl_enabled=secure,
        )
        super().__init__(settings=settings)

    def get_user_identity(self) -> UserIdentity:
        """The first question that is asked."""
        _straighten(self)
        return super().get_user_identity()

    def _validate_tenant_database(self, tenant: str, database: str) -> None:
        _straighten(self._admin_client)
        super()._validate_tenant_database(tenant, database)


def _straighten(client: object) -> None:
    server: Any = getattr(client, "_server", None)
    session = getattr(server, "_session", None)
    if not isinstance(session, httpx.Client):
        raise VectorsDown(
            "this version of chromadb is not one that Tact knows: install the one it was tested with"
        )
    timeout = httpx.Timeout(TIMEOUT_S, connect=3.0)
    server._session = httpx.Client(  # noqa: SLF001 - there is no other way to say it
        timeout=timeout, trust_env=False, headers=session.headers
    )
    session.close()
