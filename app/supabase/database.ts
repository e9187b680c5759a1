// Made by `npm run types` from supabase/migrations. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      contact_messages: {
        Row: {
          answered_at: string | null;
          attempts: number;
          created_at: string;
          email: string;
          id: string;
          last_attempt_at: string | null;
          last_error: string | null;
          message: string;
          name: string;
          next_attempt_at: string;
          phone: string | null;
          read_at: string | null;
          sent_at: string | null;
          status: string;
        };
        Insert: {
          answered_at?: string | null;
          attempts?: number;
          created_at?: string;
          email: string;
          id?: string;
          last_attempt_at?: string | null;
          last_error?: string | null;
          message: string;
          name: string;
          next_attempt_at?: string;
          phone?: string | null;
          read_at?: string | null;
          sent_at?: string | null;
          status?: string;
        };
        Update: {
          answered_at?: string | null;
          attempts?: number;
          created_at?: string;
          email?: string;
          id?: string;
          last_attempt_at?: string | null;
          last_error?: string | null;
          message?: string;
          name?: string;
          next_attempt_at?: string;
          phone?: string | null;
          read_at?: string | null;
          sent_at?: string | null;
          status?: string;
        };
        Relationships: [];
      };
      post_slugs: {
        Row: { created_at: string; post_id: string; slug: string };
        Insert: { created_at?: string; post_id: string; slug: string };
        Update: { created_at?: string; post_id?: string; slug?: string };
        Relationships: [];
      };
      posts: {
        Row: {
          alt: string;
          author: string;
          category: string;
          content: Json;
          created_at: string;
          id: string;
          image_url: string | null;
          published_date: string;
          related_services: Json;
          slug: string;
          tagline: string;
          title: string;
          updated_at: string;
        };
        Insert: {
          alt?: string;
          author: string;
          category: string;
          content?: Json;
          created_at?: string;
          id?: string;
          image_url?: string | null;
          published_date?: string;
          related_services?: Json;
          slug: string;
          tagline?: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          alt?: string;
          author?: string;
          category?: string;
          content?: Json;
          created_at?: string;
          id?: string;
          image_url?: string | null;
          published_date?: string;
          related_services?: Json;
          slug?: string;
          tagline?: string;
          title?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      testimonials: {
        Row: {
          content: string;
          created_at: string;
          id: string;
          name: string;
          rating: number;
          role: string | null;
        };
        Insert: {
          content: string;
          created_at?: string;
          id?: string;
          name: string;
          rating?: number;
          role?: string | null;
        };
        Update: {
          content?: string;
          created_at?: string;
          id?: string;
          name?: string;
          rating?: number;
          role?: string | null;
        };
        Relationships: [];
      };
    };
    Views: { [_ in never]: never };
    Functions: {
      claim_contact_messages: {
        Args: { max_count: number; lease_seconds: number; max_attempts: number };
        Returns: Database["public"]["Tables"]["contact_messages"]["Row"][];
      };
      claim_unused_images: { Args: { max_count: number }; Returns: string[] };
      count_contact_message: { Args: { visitor_address: string }; Returns: number };
      is_owner: { Args: never; Returns: boolean };
      make_owner: { Args: { id: string }; Returns: boolean };
    };
    Enums: { [_ in never]: never };
    CompositeTypes: { [_ in never]: never };
  };
};
